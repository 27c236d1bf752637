import AVToolCommands
import Foundation
import MediaTestSupport
import Testing

@testable import avtool

@Suite struct `Numbers of units` {
    @Test(arguments: [
        ("3", [3...3]), ("0-9", [0...9]), ("2,5-7,1", [2...2, 5...7, 1...1]),
    ])
    func `Numbers of units are ranges and single numbers`(_ text: String, _ ranges: [ClosedRange<Int>]) {
        #expect(UnitNumbers(argument: text)?.ranges == ranges)
    }

    @Test(arguments: ["", "-1", "1-", "3-2", "1,,2", "a", "1-2-3", "99999999999999999999", "+1", "auto", "٣"])
    func `Numbers of units that make no sense are refused`(_ text: String) {
        #expect(UnitNumbers(argument: text) == nil)
    }

    @Test func `Numbers of units are printed as a list that can be parsed`() {
        #expect(UnitNumbers.text(of: [7, 0, 1, 2, 9, 10]) == "0-2,7,9-10")
        #expect(UnitNumbers.text(of: []) == "")
    }
}

@Suite struct `Shares of the work on a film` {
    @Test(arguments: [(0, 1), (1, 1), (10, 3), (3, 10), (100_000, 7), (7, 100_000), (Int.max, 100_000)])
    func `Shares of the work on a media file are all of it, once each`(_ total: Int, _ count: Int) {
        var next = 0
        for index in 0..<count {
            let range = WorkPiece(index, of: count).range(of: total)
            #expect(range.lowerBound == next)
            next = range.upperBound
        }
        #expect(next == total)
    }

    @Test(arguments: ["1/1", "-1/2", "0/0", "0/100001", "a/2", "1", "1/2/3", "All/2", ""])
    func `Shares that make no sense are refused`(_ text: String) { #expect(WorkPiece(argument: text) == nil) }

    @Test func `Shares are an index and a count`() {
        #expect(WorkPiece(argument: "2/5") == WorkPiece(2, of: 5))
        #expect(WorkPiece(argument: "all/5")?.index == nil)
    }
}

@Suite struct `Commands to be divided` {
    private let film = Fixture("movie.mp4").path

    private func arguments(_ arguments: String...) throws -> [String] { try PlannedCommand(arguments).unitArguments }

    @Test func `Commands to be divided are printed without their media files`() throws {
        #expect(try arguments("thumbs", "--at", "1", film) == ["thumbs", "--at", "1", "--json", "--resume"])
        #expect(try arguments("thumbs", film, "--at", "1") == ["thumbs", "--at", "1", "--json", "--resume"])
        #expect(try arguments("thumbs", "--at=1", "--", film) == ["thumbs", "--at=1", "--json", "--resume"])
        #expect(
            try arguments("thumbs", "--at=1", "--json", "--resume", "--summary", "--shard=0/1", film)
                == ["thumbs", "--at=1", "--json", "--resume"])
        #expect(try arguments("verify", film) == ["verify", "--json"])
    }

    @Test func `Commands to be divided take their media files from lists`() throws {
        let folder = try TemporaryFolder()
        try Data("-a.mp4\n\nb.mp4\n".utf8).write(to: folder.url.appendingPathComponent("list"))
        let planned = try PlannedCommand(["thumbs", "--at=1", "--files-from", folder.path("list")])
        #expect(planned.films == ["./-a.mp4", "b.mp4"])
        #expect(planned.arguments == ["thumbs", "--at=1"])
    }

    @Test func `Commands to be divided may name a folder, and no single name for several files`() throws {
        let folder = try TemporaryFolder()
        let films = [film, Fixture("movie.mov").path]
        #expect(throws: Never.self) {
            try PlannedCommand(["thumbs", "--at=1", "-o", folder.url.path, "--"] + films)
        }
        let error = #expect(throws: Failure.self) {
            try PlannedCommand(["thumbs", "--at=1", "-o", folder.path("x.png"), "--"] + films)
        }
        #expect(error?.name == .usage)
    }

    @Test func `Commands in which a media file may be an option's value are refused`() {
        #expect(throws: Failure.self) { try arguments("thumbs", "a.mp4", "--at=1", "-o", "a.mp4") }
    }

    @Test(arguments: [
        ["thumbs", "--at=1", "--force", "a.mp4"], ["thumbs", "--at=1", "-o", "-", "a.mp4"], ["thumbs", "--at=1", "-"],
        ["export", "--dry-run", "a.mp4"], ["storyboard", "--if-newer", "a.mp4"],
        ["metadata", "set", "title=x", "a.mp4"],
        ["presets", "list"], ["plan", "info", "a.mp4"], ["info", "http://example.org/a.mp4", "--allow-network"],
        ["info", "--allow-format", "hls", "a.m3u8"], ["thumbs", "a.mp4"], [],
    ])
    func `Commands that cannot be repeated are refused`(_ arguments: [String]) {
        #expect(throws: Failure.self) { try PlannedCommand(arguments) }
    }
}

@Suite struct `Plans of units` {
    private func division(_ films: [String], atMost count: Int = 100) throws -> UnitDivision {
        UnitDivision(try PlannedCommand(["thumbs", "--at=1", "-o", "out/"] + films), atMost: count)
    }

    private func plan(_ films: [String]) throws -> UnitPlan {
        var division = try division(films, atMost: 1)
        for group in division.groups() { division.add(group, cost: nil) }
        division.endUnit()
        return try UnitPlan(
            command: ["thumbs"], libraries: nil, inputs: [], units: division.units, films: films.count)
    }

    private func read(_ text: String) throws -> UnitPlan {
        let folder = try TemporaryFolder()
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("plan"))
        return try UnitPlan(path: folder.path("plan"))
    }

    @Test func `Plans keep media files together whose results may share a name`() throws {
        #expect(try division(["a/x.mp4", "y.mp4", "b/x.mkv", "c/x.mp4"]).groups() == [[0, 2, 3], [1]])
    }

    @Test func `Plans put media files together up to a cost, and share one that costs more`() throws {
        var division = try division(["a.mp4", "b.mp4", "c.mp4", "d.mp4"])
        let cost = UnitCost(coreSeconds: 4, memory: 1)
        for film in 0..<3 { division.add([film], cost: cost, atMost: 8) }
        division.add(3, inPieces: 2, cost: cost)
        division.endUnit()
        #expect(division.units.map { $0.films.map(\.name) } == [["a.mp4", "b.mp4"], ["c.mp4"], ["d.mp4"], ["d.mp4"]])
        #expect(division.units.map { $0.cost?.coreSeconds } == [8, 4, 2, 2])
        #expect(division.units.compactMap(\.piece?.firstUnit) == [2, 2])
        #expect(division.units.map(\.firstFilm) == [0, 2, 3, 3])
    }

    @Test func `Plans are read as they were written`() throws {
        let name = String(decoding: [0x61], as: UTF8.self) + "\u{10fee9}é \"\\.mp4"
        let plan = try plan([name, "b.mp4"])
        let again = try read(plan.text())
        #expect(try again.units(of: "plan") == plan.units(of: "plan"))
        #expect(again.header.id == plan.header.id)
        #expect(try again.unit(0, of: "plan").films[0].name == name)
    }

    @Test func `Plans with a line lost, doubled, exchanged or changed are refused`() throws {
        let lines = try plan(["a.mp4", "b.mp4", "c.mp4"]).text().split(separator: "\n").map(String.init)
        func reason(_ lines: [String]) throws -> String {
            let error = #expect(throws: Failure.self) {
                try read(lines.joined(separator: "\n")).units(of: "plan")
            }
            #expect(error?.name == .invalidPlan)
            return error?.message ?? ""
        }
        #expect(try reason(Array(lines.dropLast())).contains("there are 2 units, not 3"))
        #expect(try reason([lines[0], lines[1], lines[3]]).contains("unit 2, where unit 1 belongs"))
        #expect(try reason([lines[0], lines[1], lines[2], lines[2]]).contains("unit 1 is there twice"))
        #expect(try reason([lines[0], lines[2], lines[1], lines[3]]).contains("unit 1, where unit 0 belongs"))
        let changed = lines[3].replacingOccurrences(of: "c.mp4", with: "d.mp4")
        #expect(try reason(Array(lines.dropLast()) + [changed]).contains("changed"))
        #expect(try reason([]).contains("no plan"))
        #expect(try reason([lines[0], "{}", lines[2], lines[3]]).contains("line 2"))
    }

    @Test(arguments: [(-5, 0, 0), (Int.max, 0, 0), (2, -1, 0), (2, 2, 0), (2, 0, Int.max), (2, 0, -1)])
    func `Plans with impossible shares are refused`(_ count: Int, _ index: Int, _ firstUnit: Int) throws {
        let piece = UnitPlan.Chunk(index: index, count: count, firstUnit: firstUnit)
        let unit = UnitPlan.Unit(
            unit: 0, firstFilm: 0, films: [UnitPlan.Film("a.mp4")], piece: piece, results: [], cost: nil)
        let plan = try UnitPlan(command: ["thumbs"], libraries: nil, inputs: [], units: [unit], films: 1)
        let error = #expect(throws: Failure.self) { try read(plan.text()).units(of: "plan") }
        #expect(error?.name == .invalidPlan)
    }

    @Test(arguments: [
        (-1, 0, 1), (1, 0, 1), (.min, 0, 1), (0, -1, 1), (0, 1, 1), (0, .max, .max), (0, 0, 0), (0, 0, -1),
    ])
    func `Plans whose units and films have impossible numbers are refused`(
        _ unit: Int, _ firstFilm: Int, _ films: Int
    ) throws {
        let unit = UnitPlan.Unit(
            unit: unit, firstFilm: firstFilm, films: [UnitPlan.Film("a.mp4")], piece: nil, results: [], cost: nil)
        let plan = try UnitPlan(command: ["thumbs"], libraries: nil, inputs: [], units: [unit], films: films)
        let error = #expect(throws: Failure.self) { try read(plan.text()).units(of: "plan") }
        #expect(error?.name == .invalidPlan)
    }

    @Test func `Plans do their units with other limits than the command names`() throws {
        let plan = try UnitPlan(
            command: ["info", "--limit", "memory=1GB", "--limit=pixels=4", "--json"], libraries: nil, inputs: [],
            units: [
                UnitPlan.Unit(
                    unit: 0, firstFilm: 0, films: [UnitPlan.Film("a.mp4")], piece: nil, results: [], cost: nil)
            ], films: 1)
        let unit = try plan.unit(0, of: "plan")
        #expect(
            plan.arguments(of: unit, notesOf: "plan", adding: ["--limit", "memory=2GB"])
                == ["info", "--limit=pixels=4", "--json", "--limit", "memory=2GB", "--", "a.mp4"])
    }

    @Test func `Plans of other versions are refused by name`() throws {
        let text = try plan(["a.mp4"]).text()
        for (old, new) in [("\"version\":1", "\"version\":2"), ("\"avtool\":\"", "\"avtool\":\"9.")] {
            let error = #expect(throws: Failure.self) { try read(text.replacingOccurrences(of: old, with: new)) }
            #expect(error?.name == .otherVersion)
        }
    }
}
