import Foundation
import TestSupport
import Testing

@testable import MediaIO

@Suite struct `Folders made in several steps` {
    private func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test func `Pending folders appear with all their files`() throws {
        let folder = try TemporaryFolder()
        let pending = try PendingFolder(for: folder.path("set"), objection: nil)
        try pending.write(Data("one".utf8), to: "a.txt")
        try pending.write(Data("two".utf8), to: "inner/deep/b.txt")
        try pending.link("a.txt", as: "inner/c.txt")
        #expect(try folder.contents().allSatisfy { $0.hasPrefix(".") })
        try pending.complete()
        #expect(try folder.contents() == ["set"])
        #expect(text(folder.path("set/a.txt")) == "one")
        #expect(text(folder.path("set/inner/deep/b.txt")) == "two")
        #expect(text(folder.path("set/inner/c.txt")) == "one")
        #expect(pending.fileNames == ["a.txt", "inner/deep/b.txt", "inner/c.txt"])
    }

    @Test func `Pending folders leave nothing if they are not completed`() throws {
        let folder = try TemporaryFolder()
        do {
            let pending = try PendingFolder(for: folder.path("set"), objection: nil)
            try pending.write(Data("one".utf8), to: "inner/a.txt")
        }
        #expect(try folder.contents().isEmpty)
    }

    @Test func `Pending folders do not replace an existing folder`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("set"), withIntermediateDirectories: false)
        let failure = #expect(throws: FileWriteError.self) {
            try PendingFolder(for: folder.path("set"), objection: nil)
        }
        #expect(failure?.kind == .exists)
    }

    @Test func `Pending folders do not replace a folder that was made meanwhile`() throws {
        let folder = try TemporaryFolder()
        do {
            let pending = try PendingFolder(for: folder.path("set"), objection: nil)
            try pending.write(Data("new".utf8), to: "a.txt")
            try FileManager.default.createDirectory(atPath: folder.path("set"), withIntermediateDirectories: false)
            #expect(throws: FileWriteError.self) { try pending.complete() }
        }
        #expect(try folder.contents() == ["set"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("set")).isEmpty)
    }

    @Test func `Pending folders take the place of a folder that may be replaced`() throws {
        let folder = try TemporaryFolder()
        for text in ["old", "new"] {
            let pending = try PendingFolder(for: folder.path("set"), objection: { _ in nil })
            try pending.write(Data(text.utf8), to: text)
            try pending.write(Data(text.utf8), to: "inner/a.txt")
            try pending.complete()
        }
        #expect(try folder.contents() == ["set"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("set")).sorted() == ["inner", "new"])
        #expect(text(folder.path("set/inner/a.txt")) == "new")
    }

    @Test func `Pending folders leave a folder alone that holds what would be lost`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("set/sub"), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: folder.url.appendingPathComponent("set/sub/mine.txt"))
        var seen: [String] = []
        let failure = #expect(throws: FileWriteError.self) {
            try PendingFolder(for: folder.path("set")) { names in
                seen = names
                return "it holds \(names.count)"
            }
        }
        #expect(failure?.kind == .cannotCreate)
        #expect(failure?.reason == "it holds 1")
        #expect(seen == ["sub/mine.txt"])
        #expect(text(folder.path("set/sub/mine.txt")) == "mine")
    }

    @Test func `Pending folders keep a file put into the old folder at the last moment`() throws {
        let folder = try TemporaryFolder()
        try PendingFolder(for: folder.path("set"), objection: { _ in nil }).complete()
        var looks = 0
        let pending = try PendingFolder(for: folder.path("set")) { _ in
            looks += 1
            // After the last look at the folder, before it is replaced.
            if looks == 2 { try? Data("mine".utf8).write(to: folder.url.appendingPathComponent("set/mine.txt")) }
            return nil
        }
        try pending.write(Data("new".utf8), to: "a.txt")
        let failure = #expect(throws: FileWriteError.self) { try pending.complete() }
        let kept = try #require(try folder.contents().first { $0 != "set" })
        #expect(failure?.reason.contains(kept) == true)
        #expect(text(folder.path("\(kept)/mine.txt")) == "mine")
        #expect(text(folder.path("set/a.txt")) == "new")
    }

    @Test func `Pending folders remove what a killed process left, not what is under way`() throws {
        let folder = try TemporaryFolder()
        let first = try PendingFolder(for: folder.path("set"), objection: nil)
        try first.write(Data("one".utf8), to: "a.txt")
        // As after a kill: the same name without the lock that goes with the process.
        let underWay = try #require(try folder.contents().first)
        let left = underWay.dropLast(5) + "x.tmp"
        try FileManager.default.createDirectory(
            atPath: folder.path("\(left)/inner"), withIntermediateDirectories: true)
        try Data("half".utf8).write(to: folder.url.appendingPathComponent("\(left)/inner/a.txt"))
        let second = try PendingFolder(for: folder.path("set"), objection: nil)
        #expect(try !folder.contents().contains(String(left)))
        #expect(try folder.contents().contains(underWay))
        try second.complete()
        #expect(throws: FileWriteError.self) { try first.complete() }
    }

    @Test(arguments: [
        ("a", "."), ("a/", "."), ("/a", "/"), ("/", "/"), ("//a//", "/"), ("a/b", "a"), ("a//b/", "a"), ("/a/b", "/a"),
        ("./a", "."), ("../a", ".."), ("é/ü", "é"),
    ])
    func `Pending folders know the folder that they lie in`(_ path: String, _ parent: String) {
        #expect(path.parentFolder == parent)
    }
}
