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
}
