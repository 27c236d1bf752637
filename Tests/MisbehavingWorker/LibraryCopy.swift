import Foundation
import MediaIO

/// The copy of a worker that a film has taken over, for a program that uses the library: the film's name says what it
/// does.
///
/// Messages are written number by number: what the program takes is not to be what the program's own types make.
struct LibraryCopy {
    private let broker: Channel
    private let orders: Channel

    init(_ descriptors: [Int32]) {
        guard descriptors.count == 2 else { _exit(70) }
        (broker, orders) = (Channel(descriptor: descriptors[0]), Channel(descriptor: descriptors[1]))
    }

    func work() -> Never {
        guard let first = try? orders.receive(AssetOrder.self), case .open(let bytes) = first.value else { _exit(71) }
        var opening = MessageReader(bytes)
        let path = (try? opening.text()) ?? ""
        let act = String(path.split(separator: "/").last ?? "")
        while let order = try? orders.receive(AssetOrder.self) {
            guard case .ask(let call) = order.value, let descriptor = order.descriptors.first else { continue }
            var question = MessageReader(call)
            let kind = (try? question.integer(Int.self)) ?? -1
            perform(act, on: Channel(descriptor: descriptor), descriptor, isOfStills: kind == 7)
        }
        _exit(0)
    }

    private func perform(_ act: String, on answers: Channel, _ descriptor: Int32, isOfStills: Bool) {
        switch act {
        case "crash":
            signal(SIGSEGV, SIG_DFL)
            UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case "abort": abort()
        case "exit": _exit(3)
        case "hang": while true { sleep(1000) }
        case "close": answers.shutDown()
        case "moves":
            for _ in 0..<3 { try? answers.send(AssetAnswer.moves) }
            abort()
        case "end": try? answers.send(AssetAnswer.end)
        case "garbage":
            try? answers.send(AssetAnswer.value, bytes: (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 97) })
        case "numbers": try? answers.send(AssetAnswer.value, bytes: [UInt8](repeating: 0x7f, count: 4096))
        case "nothing": try? answers.send(AssetAnswer.value)
        case "unknown": write(numbers(8, 0, 77), to: descriptor)
        case "long": write(numbers(1 << 40, 0), to: descriptor)
        case "less": write(numbers(-1, -1), to: descriptor)
        case "half": write(numbers(8, 100_000, 0), to: descriptor)
        case "descriptors": sendManyDescriptors(descriptor)
        case "pipe": sendPipe(answers)
        case "growing": sendUnsealed(answers)
        case "large": sendLarge(answers)
        case "deep": sendDeepError(answers)
        case "steal": steal(answers)
        case "control": sendControls(answers)
        default: if isOfStills { sendStill(act, answers) }
        }
    }

    // MARK: Bytes

    private func numbers(_ values: Int64...) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    }

    private func text(_ text: String) -> [UInt8] { numbers(Int64(text.utf8.count)) + Array(text.utf8) }

    private func write(_ bytes: [UInt8], to descriptor: Int32) { _ = Glibc.write(descriptor, bytes, bytes.count) }

    // MARK: Open files

    private func sendManyDescriptors(_ descriptor: Int32) {
        // A message of a megabyte, with eight open files to each of its bytes.
        write(numbers(1 << 20, 0), to: descriptor)
        let files = (0..<8).map { _ in open("/dev/null", O_RDONLY) }
        for _ in 0..<100 {
            let channel = Channel(descriptor: dup(descriptor))
            try? channel.send(AssetAnswer.end, descriptors: files)
        }
    }

    private func sendPipe(_ answers: Channel) {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        try? answers.send(AssetAnswer.value, descriptors: [ends[0]])
    }

    private func sendUnsealed(_ answers: Channel) {
        // Memory that its maker can shorten while it is read.
        guard let memory = try? SealedMemory([[1, 2, 3]]) else { return }
        _ = memory
        let own = open("/proc/self/exe", O_RDONLY)
        try? answers.send(AssetAnswer.value, descriptors: [own >= 0 ? own : 1])
    }

    private func sendLarge(_ answers: Channel) {
        let part = [UInt8](repeating: 0, count: 1 << 26)
        guard let memory = try? SealedMemory([part, part, part, part, part]) else { return }
        try? answers.send(AssetAnswer.value, descriptors: [memory.descriptor])
    }

    /// Asks for a file that it was not given, and tells what came.
    private func steal(_ answers: Channel) {
        var told = "nobody"
        try? broker.send(WorkNews.call(.open(path: "/etc/passwd", flags: O_RDONLY)))
        if let answer = try? broker.receive(FileAnswer.self) {
            told = if case .systemError(let code) = answer.value { String(cString: strerror(code)) } else { "got it" }
        }
        let failure = numbers(0, -11821) + [1] + text(told) + [0, 0]
        try? answers.send(AssetAnswer.failed(failure))
    }

    // MARK: Errors

    private func sendDeepError(_ answers: Channel) {
        let level = numbers(0, -11800) + [0, 0, 1]
        let failure = (0..<20_000).flatMap { _ in level } + numbers(4)
        try? answers.send(AssetAnswer.failed(failure))
    }

    private func sendControls(_ answers: Channel) {
        let failure = numbers(0, -11821) + [1] + text("\u{1b}[2Jgone\nnext") + [0, 0]
        try? answers.send(AssetAnswer.failed(failure))
    }

    // MARK: Stills

    private func time(_ value: Int64, _ timescale: Int64, flags: Int64 = 1) -> [UInt8] {
        numbers(value, timescale, flags, 0)
    }

    private func image(_ width: Int64, _ height: Int64, bits: Int64 = 8, space: String) -> [UInt8] {
        numbers(width, height, bits) + [0] + text(space)
    }

    /// A still that is not what was asked for, or not what it says.
    private func sendStill(_ act: String, _ answers: Channel) {
        var (index, actual, byteCount) = (Int64(0), time(0, 25), 64 * 36 * 3)
        var images = [image(64, 36, space: "kCGColorSpaceSRGB")]
        switch act {
        case "still-fewer-bytes": byteCount -= 1
        case "still-more-bytes": byteCount += 1
        case "still-without-pixels": byteCount = 0
        case "still-huge": images = [image(1 << 30, 1 << 30, space: "kCGColorSpaceSRGB")]
        case "still-overflow": images = [image(1 << 35, 1 << 35, space: "kCGColorSpaceSRGB")]
        case "still-negative": images = [image(-64, 36, space: "kCGColorSpaceSRGB")]
        case "still-empty": images = [image(0, 0, space: "kCGColorSpaceSRGB")]
        case "still-deep": images = [image(64, 36, bits: 32, space: "kCGColorSpaceSRGB")]
        case "still-grey": images = [image(64, 36, space: "kCGColorSpaceGenericGrayGamma2_2")]
        case "still-no-space": images = [image(64, 36, space: "none")]
        case "still-two": images += images
        case "still-none": images = []
        case "still-other": index = 1
        case "still-no-timescale": actual = time(1, 0)
        case "still-infinite": actual = time(0, 0, flags: 5)
        case "still-good": break
        default: return answers.shutDown()
        }
        let facts = actual + time(1, 25) + [1, 1, 0, 0]
        let header = numbers(index, 0) + facts + numbers(Int64(images.count)) + images.flatMap { $0 }
        let memory = try? SealedMemory([[UInt8](repeating: 200, count: byteCount)])
        try? answers.send(
            AssetAnswer.value, bytes: header,
            descriptors: act == "still-without-pixels" ? [] : memory.map { [$0.descriptor] } ?? [])
        if act == "still-good" { try? answers.send(AssetAnswer.end, bytes: numbers(1, 1, 0, 0)) }
    }
}
