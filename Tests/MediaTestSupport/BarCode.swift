package import MediaImage

extension CGImage {
    /// The frame number in the bars of a fixture's upright picture, `nil` if unreadable.
    ///
    /// The top quarter holds 16 bars: white, black, twelve bits, parity, black.
    package var frameNumber: Int? {
        guard width >= 32, height >= 16 else { return nil }
        let top = height / 4
        var bars: [Int] = []
        for bar in 0..<16 {
            let (left, right) = (bar * width / 16, (bar + 1) * width / 16)
            var sum = 0
            var count = 0
            // The middle half of the bar, in steps that keep a large picture cheap.
            for y in stride(from: top / 4, to: max(top / 4 + 1, top - top / 4), by: max(1, top / 8)) {
                let margin = (right - left) / 4
                for x in stride(from: left + margin, to: max(left + margin + 1, right - margin), by: 2) {
                    sum += Int(pixels[y * packedBytesPerRow + x * packedBytesPerPixel + 1])
                    count += 1
                }
            }
            let mean = sum / count
            if mean > 96, mean < 160 { return nil }
            bars.append(mean >= 160 ? 1 : 0)
        }
        let number = bars[2..<14].reduce(0) { $0 << 1 | $1 }
        let isSound = bars[0] == 1 && bars[1] == 0 && bars[15] == 0 && bars[14] == number.nonzeroBitCount & 1
        return isSound ? number : nil
    }

    /// Width and height.
    package var size: [Int] { [width, height] }

    /// The red, green and blue components of a pixel.
    package func color(x: Int, y: Int) -> [Int] {
        let start = y * packedBytesPerRow + x * packedBytesPerPixel
        return pixels[start..<(start + 3)].map { Int($0) }
    }
}

/// One of the pure colours that the fixtures hold.
package enum PatternColor: String, Sendable, CaseIterable {
    case red
    case green
    case yellow
    case black
    case white

    /// The colour that a pixel is nearest to, `nil` if it is near none.
    ///
    /// The distance allows for coding losses and for a picture made in one
    /// matrix and shown in another.
    package init?(near pixel: [Int]) {
        let isHigh = pixel.map { $0 > 160 }
        let isLow = pixel.map { $0 < 96 }
        switch (isHigh, isLow) {
        case ([true, false, false], [false, true, true]): self = .red
        case ([false, true, false], [true, false, true]): self = .green
        case ([true, true, false], [false, false, true]): self = .yellow
        case ([true, true, true], _): self = .white
        case (_, [true, true, true]): self = .black
        default: return nil
        }
    }
}
