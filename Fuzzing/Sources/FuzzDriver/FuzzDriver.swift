internal import Foundation
internal import Synchronization

/// Runs one of some functions on what libFuzzer thinks up; the variable `AVTOOL_FUZZ_TARGET` names it.
public enum FuzzDriver {
    /// What bytes are fed to.
    public typealias Target = @Sendable ([UInt8]) -> Void

    /// A function in a box: one that is taken out of a lock itself gets a wrapper more each time.
    private struct Chosen: Sendable { let feed: Target }

    private static let chosen = Mutex<Chosen?>(nil)

    /// The process's work.
    ///
    /// - Returns: Its exit status, 64 for a name that is none.
    public static func run(
        _ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ targets: [String: Target]
    ) -> CInt {
        let name = ProcessInfo.processInfo.environment["AVTOOL_FUZZ_TARGET"] ?? ""
        guard let target = targets[name] else {
            let text = "AVTOOL_FUZZ_TARGET must be one of \(targets.keys.sorted().joined(separator: ", "))\n"
            FileHandle.standardError.write(Data(text.utf8))
            return 64
        }
        chosen.withLock { $0 = Chosen(feed: target) }
        var numberOfArguments = count
        var firstArgument = arguments
        return runFuzzer(&numberOfArguments, &firstArgument) { start, count in testOneInput(start, count) }
    }

    fileprivate static func feed(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        let target = chosen.withLock { $0 }
        target?.feed([UInt8](UnsafeBufferPointer(start: start, count: count)))
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What libFuzzer's own entry, which is linked and never run where unused code is kept, would call.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzDriver.feed(start, count)
    return 0
}

/// Numbers taken off the front of an input, zero where it has ended.
public struct InputNumbers {
    /// What has not been taken yet.
    public private(set) var rest: ArraySlice<UInt8>

    /// Takes numbers off the bytes of an input.
    public init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next byte.
    public mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// The next number, the high byte first.
    public mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number {
        var value: Number = 0
        for _ in 0..<(Number.bitWidth / 8) { value = value << 8 | Number(truncatingIfNeeded: byte()) }
        return value
    }

    /// As many bytes as there are, up to a number.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        let part = Array(rest.prefix(count))
        rest = rest.dropFirst(part.count)
        return part
    }
}

/// What makes libFuzzer keep an input: that something does not hold.
public func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}
