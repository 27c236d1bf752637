internal import AVToolCommands
internal import Foundation
internal import MediaIO

/// The names of files that a list holds.
enum FileList {
    /// Reads a list.
    ///
    /// Whatever stands in it names a file: what would be taken for standard input, an option or a value has `./` before it.
    ///
    /// - Parameters:
    ///   - list: Its name; `-` is standard input.
    ///   - end: What ends each name. Names of nothing are passed over.
    /// - Throws: A failure if it cannot be read.
    static func names(in list: String, endedBy end: UInt8) throws(Failure) -> [String] {
        let data: Data
        do {
            let handle =
                list == SourceFile.standardInput
                ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: list))
            data = try handle.readToEnd() ?? Data()
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            throw Failure(.noSuchInput, "\(list): no such file")
        } catch {
            throw Failure(.unreadableInput, "\(list): the list cannot be read")
        }
        return data.split(separator: end).map { bytes in
            let name = String(pathBytes: Array(bytes))
            let isMistakable = name.hasPrefix("-") || name.contains("=") && !name.hasPrefix("/") && !name.hasPrefix(".")
            return isMistakable ? "./" + name : name
        }
    }
}
