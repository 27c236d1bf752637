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
}
