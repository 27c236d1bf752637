import Foundation
import MediaTestSupport
import Testing

/// A command that writes files, and where its result's name goes.
struct WritingCommand: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    /// The option that names the result.
    var option = "-o"
    /// What names of results end in.
    let ending: String
    /// The film, by the name of its fixture.
    var fixture = "movie.mp4"
    /// The name of a second film that makes the first one's result have its name, where none is given.
    var defaultName: String?
    /// Whether what it makes is a folder.
    var makesFolder = false

    var testDescription: String { arguments.prefix { !$0.hasPrefix("-") }.joined(separator: " ") + " " + option }

    /// What the film is called: as a result could be.
    var film: String { "film." + ending }

    static let all = [
        WritingCommand(arguments: ["thumbs", "--at", "0.5"], ending: "png", defaultName: "film-1.png"),
        WritingCommand(
            arguments: ["sheet", "--count", "1", "--no-header"], ending: "png", defaultName: "film-sheet.png"),
        WritingCommand(
            arguments: ["storyboard", "--every", "5s", "--no-page"], ending: "jpg",
            defaultName: "film-storyboard/storyboard-001.jpg", makesFolder: true),
        WritingCommand(
            arguments: ["export", "--preset", "passthrough", "--set", "title=x", "--artwork", "cover.png"],
            ending: "mp4", defaultName: "film-passthrough.mp4"),
        WritingCommand(arguments: ["metadata", "set", "title=x"], ending: "mp4"),
        WritingCommand(arguments: ["metadata", "set", "--from", "document.json"], ending: "mp4"),
        WritingCommand(arguments: ["metadata", "remove", "--all"], ending: "mp4"),
        WritingCommand(arguments: ["metadata", "artwork", "--set", "cover.png"], ending: "mp4"),
        WritingCommand(arguments: ["metadata", "artwork", "--add", "cover.png"], ending: "mp4"),
        WritingCommand(
            arguments: ["metadata", "artwork"], option: "--extract", ending: "m4a", fixture: "attached-picture.m4a"),
        WritingCommand(arguments: ["chapters", "set", "--from", "document.txt"], ending: "mp4"),
        WritingCommand(arguments: ["chapters", "remove"], ending: "mp4"),
    ]

    /// The folder's files that the command reads.
    var inputs: [String] { [film, "other/\(film)"] + others }
    /// What it reads beside films.
    var others: [String] { arguments.filter { $0.contains(".") && !$0.allSatisfy { "0123456789.".contains($0) } } }

    /// Puts all inputs into a folder.
    func prepare(_ folder: WorkFolder) throws {
        try FileManager.default.createDirectory(atPath: folder.path("other"), withIntermediateDirectories: true)
        try folder.copy(fixture, as: film)
        try folder.copy(fixture, as: "other/\(film)")
        if others.contains("cover.png") { try folder.copy("animated.png", as: "cover.png") }
        try folder.write(#"{"metadata": []}"#, to: "document.json")
        try folder.write("00:00:01 One\n00:00:02 Two\n", to: "document.txt")
    }

    func run(_ output: String?, _ more: [String] = [], in folder: WorkFolder) async throws -> ToolRun {
        let named = output.map { [option, $0] } ?? []
        return try await Tool.run(
            try Tool.executable(), arguments + named + more + [film], in: folder, limit: 30)
    }
}
