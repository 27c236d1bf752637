import Foundation
import TestSupport
import Testing

@testable import MediaIO

@Suite struct `Files of a run` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Data("precious".utf8).write(to: folder.url.appendingPathComponent("input"))
    }

    private func failure(_ body: () throws -> Void) -> FileWriteError? {
        do {
            try body()
            return nil
        } catch {
            return error as? FileWriteError
        }
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path(name), withDestinationPath: target)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    @Test(arguments: ["input", "./input", "sub/../input", "here/input", "symbolic", "chain", "hard"], [false, true])
    func `Input files are never written over`(_ name: String, _ replaces: Bool) throws {
        try FileManager.default.createDirectory(atPath: folder.path("sub"), withIntermediateDirectories: false)
        try link("here", to: ".")
        try link("symbolic", to: "input")
        try link("chain", to: folder.path("here/symbolic"))
        try FileManager.default.linkItem(atPath: folder.path("input"), toPath: folder.path("hard"))
        let files = RunFiles(reading: [folder.path("input")])
        let error = failure { _ = try files.output(folder.path + "/" + name, replaces: replaces) }
        #expect(error?.kind == .isInput)
        #expect(try text("input") == "precious")
    }

    @Test func `Input files read through a link keep the link and its destination`() throws {
        try link("symbolic", to: "input")
        let files = RunFiles(reading: [folder.path("symbolic")])
        for name in ["symbolic", "input"] {
            #expect(failure { _ = try files.output(folder.path(name), replaces: true) }?.kind == .isInput)
        }
    }

    @Test func `Input files that are replaced meanwhile are known by their names`() throws {
        let files = RunFiles(reading: [folder.path("input")])
        try Data("newer".utf8).write(to: folder.url.appendingPathComponent("other"))
        #expect(rename(folder.path("other"), folder.path("input")) == 0)
        #expect(failure { _ = try files.output(folder.path("input"), replaces: true) }?.kind == .isInput)
    }

    @Test(arguments: [false, true])
    func `Input files that get a result's name while it is made stay`(_ isUnnamed: Bool) throws {
        let files = RunFiles(reading: [folder.path("input")])
        let place = try files.output(folder.path("out"), replaces: true)
        let pending = try PendingFile(for: place, temporaryFolder: nil, isUnnamed: isUnnamed)
        try FileManager.default.linkItem(atPath: folder.path("input"), toPath: folder.path("out"))
        #expect(failure { try pending.complete(isSynced: false) }?.kind == .isInput)
        #expect(try text("out") == "precious")
    }

    @Test(arguments: [false, true])
    func `Results do not replace a FIFO that appears while they are made`(_ isUnnamed: Bool) throws {
        let place = try RunFiles().output(folder.path("out"), replaces: true)
        let pending = try PendingFile(for: place, temporaryFolder: nil, isUnnamed: isUnnamed)
        #expect(mkfifo(folder.path("out"), 0o600) == 0)
        #expect(failure { try pending.complete(isSynced: false) }?.kind == .cannotCreate)
        let kind = try FileManager.default.attributesOfItem(atPath: folder.path("out"))[.type]
        #expect(kind as? FileAttributeType != .typeRegular)
    }

    @Test(arguments: [false, true])
    func `Results do not share a name, however it is written`(_ replaces: Bool) throws {
        let files = RunFiles(reading: [folder.path("input")])
        try link("symbolic", to: "out")
        try AtomicFile.write(Data("first".utf8), to: files.output(folder.path("out"), replaces: replaces))
        for name in ["out", "./out", "symbolic"] {
            let path = folder.path + "/" + name
            #expect(failure { _ = try files.output(path, replaces: replaces) }?.kind == .isTaken)
            #expect(failure { try files.check(path, replaces: replaces) }?.kind == .isTaken)
        }
        #expect(try text("out") == "first")
    }

    @Test func `Results may have names of the same characters in different bytes`() throws {
        let files = RunFiles()
        try AtomicFile.write(Data("one".utf8), to: files.output(folder.path + "/\u{e9}", replaces: false))
        try AtomicFile.write(Data("other".utf8), to: files.output(folder.path + "/e\u{301}", replaces: false))
        #expect(try folder.contents().count == 3)
    }

    @Test func `Results may replace those of an earlier run`() throws {
        try AtomicFile.write(Data("first".utf8), to: RunFiles().output(folder.path("out"), replaces: false))
        #expect(failure { _ = try RunFiles().output(folder.path("out"), replaces: false) }?.kind == .exists)
        try AtomicFile.write(Data("second".utf8), to: RunFiles().output(folder.path("out"), replaces: true))
        #expect(try text("out") == "second")
    }

    @Test func `Input files are not lost with a folder that is replaced`() throws {
        try FileManager.default.createDirectory(atPath: folder.path("set"), withIntermediateDirectories: false)
        #expect(rename(folder.path("input"), folder.path("set/input")) == 0)
        let files = RunFiles(reading: [folder.path("set/input")])
        let place = try files.folder(folder.path("set"), replaces: true)
        #expect(failure { _ = try PendingFolder(for: place, objection: { _ in nil }) }?.kind == .cannotCreate)
        #expect(try text("set/input") == "precious")
    }

    @Test func `Results get new folders, which are removed if they stay empty`() throws {
        var files: RunFiles? = RunFiles()
        for name in ["a/b/out", "c/d/out"] {
            let place = try #require(try files?.output(folder.path(name), replaces: false, makesFolder: true))
            if name.hasPrefix("a") { try AtomicFile.write(Data("x".utf8), to: place) }
        }
        #expect(FileManager.default.fileExists(atPath: folder.path("c/d")))
        files = nil
        #expect(try folder.contents() == ["a", "input"])
        #expect(try text("a/b/out") == "x")
    }
}
