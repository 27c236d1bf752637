internal import AVToolCommands
internal import MediaIO
internal import OpenAVFoundation
internal import OpenAVFoundationExtras

extension CommandRequest {
    /// What speaks against it that only media libraries know; `nil` for nothing.
    var objection: String? {
        guard let source = (command as? any SourceReading)?.source else { return nil }
        for format in source.allowFormat {
            guard let objection = MediaFormats.objection(toAllowing: format) else { continue }
            return "--allow-format \(format): \(objection); --help says more"
        }
        return nil
    }

    /// Does it, for some of its files.
    func work(on job: WorkOrder.Job) async -> WorkEnd {
        switch self {
        case .perFile(let command as any FileWorking): await command.work(on: job)
        case .whole(let command as any FileWorking): await command.work(on: WorkOrder.Job(files: command.files.indices))
        case .whole(let command as any WholeWorking): await Self.run(command)
        case .perFile, .whole, .units, .said: WorkEnd(code: Failure.Code.software.rawValue)
        }
    }

    private static func run(_ command: any WholeWorking) async -> WorkEnd {
        do {
            try await command.run()
            return WorkEnd(code: 0)
        } catch let end as CommandEnded {
            return WorkEnd(code: end.code.rawValue, tellsOfInterruption: end.code == .interrupted)
        } catch {
            let failure = Failure(error)
            Console.error("avtool: \(failure.message)")
            return WorkEnd(code: failure.code.rawValue)
        }
    }
}
