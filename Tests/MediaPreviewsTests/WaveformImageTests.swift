import Foundation
import MediaCore
import MediaImage
import Testing

@testable import MediaPreviews

@Suite("Waveforms as pictures") struct WaveformImageTests {
    /// The alpha of each pixel, row by row.
    private func alpha(
        _ wave: Waveform, width: Int, height: Int, _ scale: Waveform.AmplitudeScale = .factor(1)
    ) throws -> [[UInt8]] {
        let image = try wave.image(width: width, height: height, amplitudeScale: scale)
        return (0..<height).map { row in (0..<width).map { image.pixels[(row * width + $0) * 4 + 3] } }
    }

    @Test func `A column of a drawn waveform reaches from its lowest sample to its highest`() throws {
        // Half of 4 rows; nothing; a quarter up.
        let wave = drawing([-16384, 16384, 0, 0, 0, 8192])
        #expect(try alpha(wave, width: 3, height: 4) == [[0, 0, 0], [255, 0, 128], [255, 255, 255], [0, 0, 0]])
    }

    @Test func `Silence in a drawn waveform is one row of pixels, at any height`() throws {
        for height in 1...9 {
            let column = try alpha(drawing([0, 0]), width: 1, height: height).map { $0[0] }
            let expected = (0..<height).map { row -> UInt8 in row == height / 2 ? 255 : 0 }
            #expect(column == expected)
        }
    }

    @Test func `A point off zero in a drawn waveform is at least a pixel thick`() throws {
        // A quarter from the top of 8 rows, and at the very edges.
        let column = try alpha(drawing([16384, 16384]), width: 1, height: 8).map { $0[0] }
        #expect(column == [0, 128, 128, 0, 0, 0, 0, 0])
        let edges = try alpha(drawing([32767, 32767, -32768, -32768]), width: 2, height: 8)
        #expect(edges.first == [255, 0])
        #expect(edges.last == [0, 255])
    }

    @Test func `The ends of columns in a drawn waveform are covered in part`() throws {
        // 3 − 3 × 0.7 = 0.9 and 3 + 3 × 0.9 = 5.7: a tenth of the first of 6 rows, seven of the last, in 255ths.
        let column = try alpha(drawing([-29491, 22938]), width: 1, height: 6).map { $0[0] }
        #expect(column == [26, 255, 255, 255, 255, 178])
    }

    @Test func `Waveforms of 8 bits fill the height as those of 16 bits do`() throws {
        #expect(try alpha(drawing([-128, 0], bits: 8), width: 1, height: 4) == [[0], [0], [255], [255]])
        #expect(try alpha(drawing([-64, 64], bits: 8), width: 1, height: 4) == [[0], [255], [255], [0]])
    }

    @Test func `Each channel of a drawn waveform has its band, with rows as even as can be`() throws {
        let wave = drawing([-32768, 32767, 0, 0], channels: 2)
        // Two rows and three.
        #expect(try alpha(wave, width: 1, height: 5).map { $0[0] } == [255, 255, 0, 255, 0])
    }

    @Test func `The loudest point of a drawn waveform fills the height where that is asked for`() throws {
        let wave = drawing([-8192, 4096, 0, 0])
        #expect(try alpha(wave, width: 2, height: 8, .auto).map { $0[0] } == [0, 0, 255, 255, 255, 255, 255, 255])
        #expect(try alpha(drawing([0, 0]), width: 1, height: 3, .auto) == [[0], [255], [0]])
        #expect(try alpha(drawing([-32768, 1]), width: 1, height: 4, .auto).map { $0[0] }.suffix(2) == [255, 255])
        // Both channels are scaled alike.
        let stereo = drawing([-8192, 8192, -4096, 4096], channels: 2)
        #expect(
            try alpha(stereo, width: 1, height: 8, .auto).map { $0[0] } == [255, 255, 255, 255, 0, 255, 255, 0])
    }

    @Test func `A scale enlarges a drawn waveform, which is clipped to its band`() throws {
        let wave = drawing([-8192, 8192])
        #expect(try alpha(wave, width: 1, height: 8, .factor(2)).map { $0[0] } == [0, 0, 255, 255, 255, 255, 0, 0])
        let stereo = drawing([-8192, 8192, 0, 0], channels: 2)
        #expect(
            try alpha(stereo, width: 1, height: 8, .factor(1e300)).map { $0[0] } == [255, 255, 255, 255, 0, 0, 255, 0])
    }

    @Test func `Points of a drawn waveform are merged and repeated by exact borders`() throws {
        // The loud point is the fourth of five: in the second of two columns, the fourth of five, and, of ten, in two.
        var data = [Int16](repeating: 0, count: 10)
        (data[6], data[7]) = (-32768, 32767)
        func loud(_ width: Int) throws -> [Int] {
            let top = try alpha(drawing(data), width: width, height: 2)[0]
            return top.indices.filter { top[$0] == 255 }
        }
        #expect(try loud(1) == [0])
        #expect(try loud(2) == [1])
        #expect(try loud(5) == [3])
        #expect(try loud(10) == [6, 7])
        // Column k shows point ⌊5k ÷ 7⌋: 0, 0, 1, 2, 2, 3, 4.
        #expect(try loud(7) == [5])
    }

    @Test func `A background makes a drawn waveform opaque, and is mixed where a pixel is covered in part`() throws {
        let image = try drawing([0, 8192]).image(
            width: 1, height: 4, color: RGBColor(red: 255, green: 0, blue: 100),
            background: RGBColor(red: 0, green: 255, blue: 100))
        #expect(!image.hasAlpha)
        #expect(image.pixels == [0, 255, 100, 128, 127, 100, 255, 0, 100, 0, 255, 100])
    }

    @Test func `A waveform without points is drawn as its background`() throws {
        #expect(try alpha(drawing([]), width: 2, height: 2) == [[0, 0], [0, 0]])
    }

    @Test func `The PNG of a waveform is that of its image`() throws {
        let wave = drawing([-16384, 16384, 0, 0, 5, 9])
        let png = try wave.png(width: 300, height: 5, color: .white)
        #expect(png == (try wave.image(width: 300, height: 5, color: .white).pngData()))
        // The signature, the header's length and name, width, height, 8 bits, RGB with alpha.
        #expect(
            Array(png.prefix(26)) == [
                0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 44, 0, 0,
                0,
                5, 8, 6,
            ])
    }

    @Test func `Drawn waveforms of too many pixels are refused`() {
        #expect(
            reason { _ = try drawing([0, 0]).png(width: 65535, height: 1025) }
                == "the drawing would be 65535x1025 pixels, more than 67108864")
    }
}
