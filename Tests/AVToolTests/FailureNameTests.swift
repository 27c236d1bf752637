import Foundation
import OpenAVFoundation
import Testing

@testable import AVToolCommands
@testable import avtool_worker

@Suite struct `Names of failures` {
    /// The rows of the table in the documentation.
    private func documented() throws -> [(name: String, exitCode: String, retry: String)] {
        let url = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/failures.md").standardized
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard let row = line.wholeMatch(of: /\| `(\w+)` \| (\d+) \| (\w+) \| .+ \|/) else { return nil }
            return (String(row.1), String(row.2), String(row.3))
        }
    }

    @Test func `The document lists all failure names and no others, with exit code and whether to try again`()
        throws
    {
        let rows = try documented()
        #expect(rows.map(\.name) == FailureName.allCases.map(\.rawValue))
        #expect(rows.map(\.exitCode) == FailureName.allCases.map { String($0.exitCode.rawValue) })
        #expect(rows.map(\.retry) == FailureName.allCases.map(\.retry.rawValue))
    }

    /// A name of each code that the library throws; the others are for capture and playback.
    @Test func `Failure names have one for each of AVFoundation's codes that the library throws`() throws {
        let codes = (-12000 ... -11000).compactMap { AVError.Code(rawValue: $0) }
        let named = codes.filter { FailureName(rawValue: String(describing: $0)) != nil }
        #expect(named.count >= 30)
        for code in codes {
            #expect(FailureName(code).rawValue == (named.contains(code) ? String(describing: code) : "unknown"))
        }
        let sources = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources").standardized
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let url as URL in files.allObjects where url.pathExtension == "swift" {
            for match in try String(contentsOf: url, encoding: .utf8).matches(of: /AVError\(\s*\.(\w+)/) {
                #expect(FailureName(rawValue: String(match.1)) != nil, "\(match.1) in \(url.lastPathComponent)")
            }
        }
    }
}
