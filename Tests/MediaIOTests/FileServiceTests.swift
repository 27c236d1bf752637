import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MediaIO

@Suite struct `What a worker may have made` {
    @Test func `A worker may make any number of results, one after the other`() throws {
        let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var grants = FileGrants()
        grants.results = [ResultRule(literals: [folder.path + "/", ".png"])]
        let service = FileService(grants, run: RunFiles()) { false }
        let count = 10_100
        for number in 0..<count {
            let call = FileCall.place(
                path: "\(folder.path)/\(number).png", replaces: false, makesFolder: false, isFolder: false)
            guard case .place(let place, _) = service.answer(call, []).0,
                case (.made(let file), let descriptor?) = service.answer(
                    .newFile(place: place, temporaryFolder: nil), [])
            else {
                Issue.record("no place for \(number)")
                return
            }
            close(descriptor)
            guard case .done = service.answer(.complete(file, isSynced: false), []).0 else {
                Issue.record("\(number) is not complete")
                return
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == count)
    }

    /// The second begins each result a little later than the first, by up to what one of them takes, so that in some
    /// the first ends while the second is at each of its steps.
    @Test(arguments: [false, true])
    func `Two resumed runs may make the same results at once, and neither fails`(isFolder: Bool) throws {
        let folder = try TemporaryFolder()
        let (count, delays) = (1000, 500)
        let failures = Mutex<[String]>([])
        let begun = Atomic(0)
        let runs = (0..<2).map { run in
            Thread {
                var grants = FileGrants()
                grants.results = [ResultRule(literals: [folder.url.path + "/", ""])]
                let service = FileService(grants, run: RunFiles(), resumes: true) { false }
                for number in 0..<count {
                    begun.add(1, ordering: .sequentiallyConsistent)
                    while begun.load(ordering: .sequentiallyConsistent) < 2 * number + 2 { sched_yield() }
                    let start = ContinuousClock.now
                    while run == 1, start.duration(to: .now) < .microseconds(number % delays) {}
                    service.beginFile("key\(number)")
                    let path = folder.url.appendingPathComponent("\(number)").path
                    if let failure = made(path, isFolder: isFolder, by: service) {
                        failures.withLock { $0.append(failure) }
                    }
                }
                begun.add(1, ordering: .sequentiallyConsistent)
            }
        }
        for run in runs { run.start() }
        while begun.load(ordering: .sequentiallyConsistent) < 2 * count + 2 { usleep(1000) }
        #expect(failures.withLock { $0 } == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == count)
    }

    @Test(arguments: [false, true])
    func `A result never replaces a file that came while it was made anew`(isFolder: Bool) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appendingPathComponent("result").path
        var grants = FileGrants()
        grants.results = [ResultRule(literals: [path])]
        for isReplaced in [false, true] {
            let service = FileService(grants, run: RunFiles(), resumes: true) { false }
            service.beginFile("key")
            let failure = made(path, isFolder: isFolder, by: service) {
                guard isReplaced else { return }
                try? FileManager.default.removeItem(atPath: path)
                #expect(FileManager.default.createFile(atPath: path, contents: Data("mine".utf8)))
            }
            #expect((failure?.contains("exists") ?? false) == isReplaced, "\(failure ?? "")")
        }
        #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["result"])
    }

    /// Makes a result as a worker does.
    ///
    /// - Parameter meanwhile: Is done before the result gets its name.
    /// - Returns: The answer that was not the one for what went well.
    private func made(
        _ path: String, isFolder: Bool, by service: FileService, meanwhile: () -> Void = {}
    ) -> String? {
        if !isFolder {
            let check = service.answer(.check(path: path, replaces: false), []).0
            guard case .done = check else { return "\(check)" }
        }
        let placed = service.answer(
            .place(path: path, replaces: false, makesFolder: false, isFolder: isFolder), []
        ).0
        guard case .place(let place, _) = placed else { return "\(placed)" }
        let (begun, descriptor) = service.answer(
            isFolder ? .newFolder(place: place, .storyboard) : .newFile(place: place, temporaryFolder: nil), [])
        if let descriptor { close(descriptor) }
        guard case .made(let number) = begun else { return "\(begun)" }
        meanwhile()
        let completed = service.answer(.complete(number, isSynced: false), []).0
        guard case .done = completed else { return "\(completed)" }
        return nil
    }

    /// An index of a film that later runs read: no result, which `--resume` would count.
    @Test func `A file kept beside results is made without a mark, and nothing near it`() throws {
        let folder = try TemporaryFolder()
        let kept = folder.url.appendingPathComponent("kept").path
        let result = folder.url.appendingPathComponent("result").path
        var grants = FileGrants()
        (grants.kept, grants.results) = ([kept], [ResultRule(literals: [result])])
        let service = FileService(grants, run: RunFiles()) { false }
        service.beginFile("key")
        for (path, isMarked) in [(kept, false), (result, true)] {
            let call = FileCall.place(path: path, replaces: true, makesFolder: true, isFolder: false)
            guard case .place(let place, _) = service.answer(call, []).0,
                case (.made(let file), let descriptor?) = service.answer(
                    .newFile(place: place, temporaryFolder: nil), [])
            else {
                Issue.record("no place for \(path)")
                return
            }
            close(descriptor)
            guard case .done = service.answer(.complete(file, isSynced: false), []).0 else {
                Issue.record("\(path) is not complete")
                return
            }
            #expect((MarkedResult(at: path) != nil) == isMarked)
        }
        let (opened, descriptor) = service.answer(.open(path: kept, flags: O_RDONLY), [])
        guard case .opened = opened, let descriptor else {
            Issue.record("what was kept cannot be read")
            return
        }
        close(descriptor)
        for path in [kept + "2", folder.url.appendingPathComponent("other").path, "/etc/passwd"] {
            let call = FileCall.place(path: path, replaces: true, makesFolder: true, isFolder: false)
            guard case .systemError = service.answer(call, []).0 else {
                Issue.record("\(path) was given")
                return
            }
            guard case .systemError = service.answer(.open(path: path, flags: O_RDONLY), []).0 else {
                Issue.record("\(path) was opened")
                return
            }
        }
    }

    private func service(_ folder: TemporaryFolder, inputs: Set<String> = [], changeable: Set<String> = [])
        -> FileService
    {
        var grants = FileGrants()
        (grants.inputs, grants.changeable) = (inputs, changeable)
        grants.results = [ResultRule(literals: [folder.url.path + "/", ""])]
        return FileService(grants, run: RunFiles(reading: Array(inputs))) { false }
    }

    private func failure(_ answer: FileAnswer) -> FileWriteError.Kind? {
        if case .failed(let failure) = answer { failure.error.kind } else { nil }
    }

    @Test func `A result is made with its place in one`() throws {
        let folder = try TemporaryFolder()
        let (path, service) = (folder.path("a"), service(folder))
        let call = FileCall.create(path: path, replaces: false, makesFolder: false)
        guard case (.made(let file), let descriptor?) = service.answer(call, []) else {
            Issue.record("it is not made")
            return
        }
        #expect(write(descriptor, "abc", 3) == 3)
        close(descriptor)
        #expect(!FileManager.default.fileExists(atPath: path))
        guard case .done = service.answer(.complete(file, isSynced: false), []).0 else {
            Issue.record("it is not complete")
            return
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "abc")
        // A name is given to one result of a run, and only one that was granted.
        #expect(failure(service.answer(call, []).0) == .isTaken)
        let other = FileCall.create(path: "/etc/a", replaces: true, makesFolder: false)
        guard case (.systemError(EACCES), nil) = service.answer(other, []) else {
            Issue.record("another name was given")
            return
        }
    }

    @Test func `Names are checked together, and the first that is an input is told`() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("input")
        try Data("x".utf8).write(to: URL(fileURLWithPath: input))
        let service = service(folder, inputs: [input])
        guard case .done = service.answer(.checkAreNoInputs(paths: [folder.path("a"), folder.path("b")]), []).0 else {
            Issue.record("no input is one")
            return
        }
        let answer = service.answer(.checkAreNoInputs(paths: [folder.path("a"), input]), []).0
        #expect(failure(answer) == .isInput)
    }

    @Test func `An input is the same open file for the one that serves it and for the worker`() throws {
        let folder = try TemporaryFolder()
        let input = folder.path("input")
        try Data("old".utf8).write(to: URL(fileURLWithPath: input))
        let service = service(folder, inputs: [input])
        service.beginFile()
        #expect(service.input(folder.path("other")) == nil)
        let own = try #require(service.input(input))
        try FileManager.default.removeItem(atPath: input)
        try Data("new".utf8).write(to: URL(fileURLWithPath: input))
        guard case (.opened, let descriptor?) = service.answer(.open(path: input, flags: O_RDONLY), []) else {
            Issue.record("it is not opened")
            return
        }
        let given = try #require(RandomAccessFile(source: descriptor))
        close(descriptor)
        #expect(given.version == own.version && given.read(at: 0, count: 3) == Array("old".utf8))
        // The next file of the job is looked up anew.
        service.beginFile()
        #expect(service.input(input)?.read(at: 0, count: 3) == Array("new".utf8))
    }

    @Test func `A lock brings the file that is locked, and ends with its new version`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        let service = service(folder, inputs: [path], changeable: [path])
        service.beginFile()
        guard case (.done, let descriptor?) = service.answer(.lock(path: path), []),
            let file = RandomAccessFile(source: descriptor), let version = file.version
        else {
            Issue.record("it is not locked")
            return
        }
        #expect(throws: FileWriteError.self) { try EditLock(changing: path, patience: .zero) }
        let rewrite = FileCall.rewrite(path: path, version, [.bytes(3)], nil)
        guard case .rewritten = service.answer(rewrite, Array("new".utf8)).0 else {
            Issue.record("it is not changed")
            return
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        // Although the worker has it open still.
        _ = try EditLock(changing: path, patience: .zero)
        close(descriptor)
    }
}
