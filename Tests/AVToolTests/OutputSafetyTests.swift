import Foundation
import MediaTestSupport
import Testing

/// Every command that writes, with every way to name its result: inputs and devices stay as they are.
@Suite struct `Nothing is lost` {
    let folder: WorkFolder

    init() throws { folder = try WorkFolder() }

    private func contents(_ names: [String]) throws -> [String: Data] {
        Dictionary(uniqueKeysWithValues: try names.map { ($0, try folder.data($0)) })
    }

    /// Names that lead to files: by themselves, links and other ways through the folder.
    private func names(of files: [String], ending: String) throws -> [String] {
        var names: [String] = []
        for (index, file) in files.enumerated() {
            let (symbolic, hard) = ("symbolic\(index).\(ending)", "hard\(index).\(ending)")
            try FileManager.default.createSymbolicLink(atPath: folder.path(symbolic), withDestinationPath: file)
            try FileManager.default.linkItem(atPath: folder.path(file), toPath: folder.path(hard))
            names += [symbolic, hard]
            // Others are no names that the command could be given.
            if file.hasSuffix("." + ending) { names += [file, "./" + file, folder.path(file), "other/../" + file] }
        }
        return names
    }

    // `thumbs -o film.png --force film.png` wrote a still over the film, as did a
    // link's name, `{name}.{ext}` and the name of another film of the run.
    @Test(arguments: WritingCommand.all)
    func `when a result is given an input's name`(_ command: WritingCommand) async throws {
        try command.prepare(folder)
        let inputs = [command.film] + command.others
        let before = try contents(command.inputs)
        var names = try names(of: inputs, ending: command.ending)
        if !command.makesFolder { names += ["{name}.\(command.ending)", "sub/{name}.\(command.ending)"] }
        try FileManager.default.createSymbolicLink(atPath: folder.path("sub"), withDestinationPath: ".")
        let all = try folder.names
        for name in names {
            for force in [[], ["--force"]] {
                let run = try await command.run(name, force, in: folder)
                #expect(run.exitCode == 73, "\(name) \(force)")
                #expect(run.output.isEmpty, "\(name) \(force)")
                #expect(run.diagnosticLines.count == 1, "\(name) \(force)")
                if !command.makesFolder { #expect(run.diagnostics.contains("is an input of this run"), "\(name)") }
            }
        }
        #expect(try contents(command.inputs) == before)
        #expect(try folder.names == all)
    }

    @Test(arguments: WritingCommand.all.filter { $0.defaultName != nil })
    func `when a result's own name is that of another input`(_ command: WritingCommand) async throws {
        try command.prepare(folder)
        let name = try #require(command.defaultName)
        if name.contains("/") {
            #expect(try await command.run(nil, in: folder).exitCode == 0)
            try FileManager.default.removeItem(atPath: folder.path(name))
        }
        try folder.copy(command.fixture, as: name)
        let inputs = [name] + command.inputs
        let before = try contents(inputs)
        for force in [[], ["--force"]] {
            let run = try await command.run(nil, force + [name], in: folder)
            #expect(run.exitCode == 73)
            #expect(run.diagnostics.contains(force.isEmpty && command.makesFolder ? "exists" : "input of this run"))
        }
        #expect(try contents(inputs) == before)
    }

    @Test func `when a still's name is known only when it is made`() async throws {
        try folder.copy("movie.mp4", as: "0.png")
        let before = try contents(["0.png"])
        for force in [[], ["--force"]] {
            let options = ["thumbs", "--at", "0.01,1", "-o", "{actual}.png"] + force + ["0.png"]
            let run = try await Tool.run(try Tool.executable(), options, in: folder, limit: 30)
            #expect(run.exitCode == 73)
            #expect(run.diagnosticLines == ["avtool: 0.png: is an input of this run, which is never written over"])
            #expect(run.lines.count == 1)
            try? FileManager.default.removeItem(atPath: folder.path("1.png"))
        }
        #expect(try contents(["0.png"]) == before)
    }

    // A standard output that is opened for appending, or not cut, can be an input.
    @Test(arguments: WritingCommand.all.filter { !$0.makesFolder })
    func `when standard output is an input`(_ command: WritingCommand) async throws {
        try command.prepare(folder)
        let before = try contents(command.inputs)
        let words = (command.arguments + [command.option, "-", command.film]).joined(separator: " ")
        for redirection in [">>", "1<>"] {
            let run = try await Tool.shell("\"$AVTOOL\" \(words) \(redirection) \(command.film)", in: folder)
            #expect(run.exitCode == 73)
            #expect(run.diagnosticLines.count == 1)
        }
        #expect(try contents(command.inputs) == before)
    }

    @Test(arguments: WritingCommand.all.filter { !$0.makesFolder })
    func `when results go to folders and links`(_ command: WritingCommand) async throws {
        try command.prepare(folder)
        let before = try contents(command.inputs)
        try FileManager.default.createDirectory(atPath: folder.path("there"), withIntermediateDirectories: true)
        for (name, exitCode) in [("new/er/", 0), ("there", 0), ("there/", 73)] as [(String, Int32)] {
            let run = try await command.run(name, in: folder)
            #expect(run.exitCode == exitCode, "\(name): \(run.diagnostics)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("new/er")).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("there")).count == 1)
        // A link to a file of nobody's is followed.
        let (link, target) = ("link.\(command.ending)", "target.\(command.ending)")
        try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
        if command.option == "-o" {
            #expect(try await command.run(link, in: folder).exitCode == 0)
            #expect(try await command.run(link, in: folder).exitCode == 73)
            #expect(try await command.run(link, ["--force"], in: folder).exitCode == 0)
            #expect(try folder.data(target).count > 100)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path(link)) == target)
        }
        #expect(try contents(command.inputs) == before)
    }

    @Test(arguments: WritingCommand.all)
    func `when a folder that was made stays empty`(_ command: WritingCommand) async throws {
        let missing = try await command.run("new/er/", in: folder)
        #expect(missing.exitCode == 66)
        #expect(try folder.names.isEmpty)
    }

    // `--force -o /dev/null` put a file in the place of the device.
    @Test(
        .enabled(if: DeviceNodes.canBeMade, "device nodes can be made by root only, and not everywhere"),
        arguments: WritingCommand.all)
    func `when a result goes to a device`(_ command: WritingCommand) async throws {
        try command.prepare(folder)
        let before = try contents(command.inputs)
        #expect(DeviceNodes.make("null", minor: 3, in: folder) && DeviceNodes.make("full", minor: 7, in: folder))
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "null")
        for name in ["null", "link", "full"] {
            for force in [[], ["--force"]] {
                let run = try await command.run(name, force, in: folder)
                let isFull = name == "full"
                #expect(run.exitCode == (command.makesFolder ? 73 : isFull ? 74 : 0), "\(name) \(force)")
                #expect(run.diagnosticLines.count == (isFull || command.makesFolder ? 1 : 0), "\(run.diagnostics)")
                if isFull, !command.makesFolder { #expect(run.diagnostics.contains("No space left on device")) }
            }
        }
        #expect(DeviceNodes.isDevice("null", in: folder) && DeviceNodes.isDevice("full", in: folder))
        #expect(try contents(command.inputs) == before)
    }

    @Test(arguments: WritingCommand.all.filter { !$0.makesFolder }, [false, true])
    func `when a result goes to a FIFO`(_ command: WritingCommand, _ force: Bool) async throws {
        try command.prepare(folder)
        let before = try contents(command.inputs)
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let words = (command.arguments + [command.option, "pipe", command.film] + (force ? ["--force"] : []))
            .joined(separator: " ")
        let run = try await Tool.shell("cat pipe > got & \"$AVTOOL\" \(words); code=$?; wait; exit $code", in: folder)
        #expect(run.exitCode == 0, "\(run.diagnostics)")
        var status = stat()
        #expect(lstat(folder.path("pipe"), &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        #expect(try folder.data("got").count > 100)
        #expect(try contents(command.inputs) == before)
    }

    @Test(arguments: WritingCommand.all.filter { !$0.makesFolder })
    func `when a result goes to standard output by any of its names`(_ command: WritingCommand) async throws {
        try command.prepare(folder)
        let before = try contents(command.inputs)
        var results: Set<Data> = []
        for name in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            let run = try await command.run(name, in: folder)
            #expect(run.exitCode == 0, "\(run.diagnostics)")
            #expect(run.output.count > 100)
            // A file's times and a movie's free space apart, all are the same.
            results.insert(Data(run.output.prefix(8)))
        }
        #expect(results.count == 1)
        #expect(try contents(command.inputs) == before)
        #expect(try folder.names.allSatisfy { !$0.hasPrefix("-") })
    }
}

/// Device nodes of a test's own.
enum DeviceNodes {
    static let canBeMade: Bool = {
        guard let folder = try? WorkFolder(), make("null", minor: 3, in: folder) else { return false }
        let descriptor = open(folder.path("null"), O_WRONLY)
        if descriptor >= 0 { close(descriptor) }
        return descriptor >= 0
    }()

    /// Makes a node of the memory devices: 3 is null, 7 is full.
    static func make(_ name: String, minor: UInt, in folder: WorkFolder) -> Bool {
        mknod(folder.path(name), S_IFCHR | 0o666, dev_t(1 << 8 | minor)) == 0
    }

    static func isDevice(_ name: String, in folder: WorkFolder) -> Bool {
        var status = stat()
        return lstat(folder.path(name), &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    }
}
