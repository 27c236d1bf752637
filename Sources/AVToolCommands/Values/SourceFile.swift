internal import ArgumentParser
package import Foundation
package import MediaCore
package import MediaIO
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A file as the command line names it: a path, an address, or `-` for standard input.
///
/// A file that is called `-` is `./-`.
package enum SourceFile {
    package static let standardInput = "-"
    private static let namesOfStandardInput: Set = [standardInput, "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]

    /// Where it is.
    package static func url(_ file: String) -> URL {
        if file == standardInput { return URL(fileURLWithPath: "/dev/stdin") }
        if beginsLikeAddress(file), !FileManager.default.exists(file), let address = URL(string: file) {
            return address
        }
        return URL(fileURLWithPath: file)
    }

    /// Whether it lies elsewhere than in a folder of this system.
    static func isAddress(_ file: String) -> Bool { !url(file).isFileURL }

    /// Whether there is a scheme before `://`.
    private static func beginsLikeAddress(_ file: String) -> Bool {
        let scheme = file.utf8.prefix {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "+.-".utf8.contains($0)
        }
        guard let first = scheme.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20) else {
            return false
        }
        return file.utf8.dropFirst(scheme.count).starts(with: "://".utf8)
    }

    /// Its name without folders, for people.
    package static func displayName(_ file: String) -> String {
        file == standardInput ? "standard input" : (file as NSString).lastPathComponent.withVisiblePathBytes
    }

    /// What results are named after; empty if the name has nothing before its extension.
    ///
    /// Never a name that leads elsewhere: "...mp4" without its extension would be the folder above.
    package static func baseName(_ file: String) -> String {
        guard file != standardInput else { return "stdin" }
        let name = (file as NSString).lastPathComponent
        let names = [(name as NSString).deletingPathExtension, name]
        return names.first { ![".", ".."].contains($0) && !$0.contains("/") } ?? ""
    }

    /// Why files cannot be taken, `nil` if they can.
    ///
    /// - Parameter others: What else the command reads.
    static func objection(to files: [String], with others: [String?] = []) -> String? {
        let count = (files + others.compactMap { $0 }).count(where: namesOfStandardInput.contains)
        if count > 1 { return "Standard input can be read once only, and was given \(count) times." }
        guard let name = files.first(where: namesOfStandardInput.contains) else { return nil }
        if StandardInput.current.isTerminal {
            return "\(name) is standard input, which is the terminal; pipe or redirect a film into it."
        }
        return StandardInput.current.isOpen ? nil : "\(name) is standard input, which is closed."
    }

    /// Why files cannot be changed where they are, `nil` if they can, or cannot be read in any case.
    static func objection(toChanging files: [String]) -> String? {
        let stream = files.first {
            namesOfStandardInput.contains($0) || OutputPlace.isStream($0) && !isCharacterDevice($0)
        }
        guard let stream else { return nil }
        let name = namesOfStandardInput.contains(stream) ? "standard input" : "\(stream), a pipe,"
        return "\(name) cannot be changed in place; -o says where the changed copy goes."
    }

    /// Whether a file is a device such as `/dev/null`, of which nothing can be read in any case.
    private static func isCharacterDevice(_ file: String) -> Bool {
        let path = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeCharacterSpecial
    }
}

/// A film, and what it may make the tool do.
package struct MediaSource: Sendable {
    package let file: String
    package var allowedFormats: [String] = []
    package var allowsNetwork = false
    /// Whether a file whose end is torn off is refused.
    package var refusesTornEnds = false
    package var isPrecise = false
    /// The number of the video track to take, the usual one if `nil`.
    package var track: Int32?
    /// Whether a pipe is read to its end before anything else.
    package var readsPipesWhole = true
    /// An index of its frames, and where one is kept.
    package var index: String?
    package var cachedIndex: String?
    /// How much it may ask for.
    package var limits = MediaLimits()

    package init(file: String, limits: MediaLimits = MediaLimits()) { (self.file, self.limits) = (file, limits) }
}

/// What the tool was started with for standard input.
package struct StandardInput: Sendable {
    /// Whether anything is open for it.
    package let isOpen: Bool
    package let isTerminal: Bool

    package init(isOpen: Bool, isTerminal: Bool) { (self.isOpen, self.isTerminal) = (isOpen, isTerminal) }

    private static let facts = Mutex(StandardInput(isOpen: true, isTerminal: false))

    /// That of this run; whoever reads a command line says it first.
    package static var current: StandardInput {
        get { facts.withLock { $0 } }
        set { facts.withLock { $0 = newValue } }
    }
}

/// Where a user's programs keep files, by freedesktop.org's base directories.
package enum UserFolders {
    /// What can be made again; `nil` where the environment tells of none.
    static var cache: String? { folder("XDG_CACHE_HOME", else: ".cache") }
    /// What the user decided.
    package static var configuration: String? { folder("XDG_CONFIG_HOME", else: ".config") }

    private static func folder(_ variable: String, else name: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        // A relative path is to be passed over.
        if let folder = environment[variable], folder.hasPrefix("/") { return folder }
        return environment["HOME"].map { "\($0)/\(name)" }
    }
}

/// A part of a film, as it was asked for: from one time up to another.
package struct FilmPart: Sendable {
    package let from: Written<TimeExpression>?
    package let to: Written<TimeExpression>?

    package init(from: Written<TimeExpression>?, to: Written<TimeExpression>?) { (self.from, self.to) = (from, to) }
}

/// What tells a version of a film from others, whatever its name: its size, its time of modification and some of its bytes.
package struct FilmIdentity: Hashable, Sendable {
    package let byteCount: UInt64
    /// Seconds and nanoseconds.
    package let modified: String
    /// Of parts of the file: archives give many films one time, and recorders make files of one size.
    package let sampleDigest: UInt64

    private static let sample = FileSample(edge: 16 << 10, block: 16 << 10, count: 6, wholeByteCount: 128 << 10)

    /// Reads 128 KiB of a regular file; `nil` for anything else, and for what cannot be read.
    package init?(path: String) {
        guard path != SourceFile.standardInput, let file = RandomAccessFile(path: path) else { return nil }
        self.init(file)
    }

    /// The same of an open file.
    package init?(_ file: RandomAccessFile) {
        var bytes: [UInt8] = []
        guard let version = file.version, Self.sample.forEachPart(of: file, { bytes += $0 }) else { return nil }
        byteCount = file.byteCount
        modified = "\(version.modificationTime.seconds).\(version.modificationTime.nanoseconds)"
        sampleDigest = FowlerNollVo.digest64(ofWordsIn: bytes)
    }

    /// The parts as texts.
    package var texts: [String] { ["\(byteCount)", modified, "\(sampleDigest)"] }

    /// 32 hexadecimal digits.
    package var digest: String { FowlerNollVo.digest128(of: texts).zeroPadded(to: 32, radix: 16) }
}

/// One of several shares of all files, told by their names alone, so that nobody has to know the others'.
package struct Shard: ExpressibleByArgument, Hashable, Sendable {
    /// Which one, from 0.
    package let index: UInt64
    /// How many there are.
    package let count: UInt64

    package init?(argument: String) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt64(parts[0]), let count = UInt64(parts[1]), index < count else {
            return nil
        }
        (self.index, self.count) = (index, count)
    }

    package var defaultValueDescription: String { "\(index)/\(count)" }

    /// Whether a file belongs to it.
    package func contains(_ file: String) -> Bool { Self.hash(file.pathBytes) % count == index }

    /// FNV-1a of 64 bits, mixed once more as MurmurHash ends: its lowest bits alone would be those of a checksum.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        var hash = FowlerNollVo.digest64(of: bytes)
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ (hash >> 33)
    }
}
