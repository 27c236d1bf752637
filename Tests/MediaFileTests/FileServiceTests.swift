import Foundation
import MediaTestSupport
import Testing

@testable import MediaFile

@Suite struct `What a worker may have made` {
    @Test func `is any number of results, one after the other`() throws {
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

    /// An index of a film that later runs read: no result, which `--resume` would count.
    @Test func `is what is kept beside results, without a mark, and nothing near it`() throws {
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
