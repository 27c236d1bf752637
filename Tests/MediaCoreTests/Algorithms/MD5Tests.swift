import Foundation
import MediaCore
import TestSupport
import Testing

@Suite struct `The digest that names of thumbnails are made of` {
    /// The examples of RFC 1321.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func `An MD5 digest is that of the standard`(text: String, digest: String) {
        #expect(MD5.hexadecimalDigest(of: Array(text.utf8)) == digest)
    }

    @Test func `An MD5 digest is what md5sum says, for all lengths around a block`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("md5-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let contents = (0...130).map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31 + count) } }
        for (count, bytes) in contents.enumerated() {
            try Data(bytes).write(to: folder.appendingPathComponent("\(1000 + count)"))
        }
        let text = try CommandRun.runBlocking("/bin/sh", ["-c", "md5sum *"], in: folder).output
        #expect(
            text.split(separator: "\n").map { $0.prefix(32) } == contents.map { MD5.hexadecimalDigest(of: $0)[...] })
    }
}
