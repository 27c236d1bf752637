// What goes between a worker and who started it, as bytes.

extension WorkSurroundings: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(list: arguments) { $0.put($1) }
        message.put(hasStandardInput)
        message.put(standardInputIsTerminal)
        message.put(isolation.rawValue)
        message.put(allowsNetwork)
        message.put(fileCount)
        message.put(firstFile)
        message.put(libraryVersion)
        message.put(memory)
        message.put(wantsLibraryVersions)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init()
        arguments = try message.list { message throws(MessageError) in try message.text() }
        (hasStandardInput, standardInputIsTerminal) = (try message.flag(), try message.flag())
        isolation = Isolation(rawValue: try message.integer())
        allowsNetwork = try message.flag()
        (fileCount, firstFile) = (try message.integer(), try message.integer())
        libraryVersion = try message.optionalInteger()
        memory = try message.integer()
        wantsLibraryVersions = try message.flag()
    }
}

extension WorkOrder: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .start(let surroundings):
            message.put(0)
            message.put(surroundings)
        case .work(let job):
            message.put(1)
            message.put(job.files.lowerBound)
            message.put(job.files.upperBound)
            message.put(job.failure) { $0.put($1.rawValue) }
            message.put(job.sharers)
            message.put(job.threads)
            message.put(job.isAlone)
            message.put(job.mayStop)
        case .collect(let process):
            message.put(2)
            message.put(process)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .start(try message.value())
        case 1:
            let (start, end) = (try message.integer(Int.self), try message.integer(Int.self))
            guard start >= 0, start <= end else { throw MessageError() }
            let failure = try message.optional { message throws(MessageError) in try message.text() }
            var job = Job(files: start..<end, failure: failure.flatMap { WorkFailure(rawValue: $0) })
            (job.sharers, job.threads) = (try message.integer(), try message.integer())
            (job.isAlone, job.mayStop) = (try message.flag(), try message.flag())
            self = .work(job)
        case 2: self = .collect(process: try message.integer())
        default: throw MessageError()
        }
    }
}

extension WorkReply: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .ready(let isolation, let objection, let libraries):
            message.put(0)
            message.put(isolation.rawValue)
            message.put(objection) { $0.put($1) }
            message.put(list: libraries) { $0.put($1) }
        case .began(let process):
            message.put(1)
            message.put(process)
        case .ended(let status):
            message.put(2)
            message.put(status)
        case .failed(let reason):
            message.put(3)
            message.put(reason)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0:
            let isolation = Isolation(rawValue: try message.integer())
            self = .ready(
                isolation, objection: try message.optional { message throws(MessageError) in try message.text() },
                libraries: try message.list { message throws(MessageError) in try message.text() })
        case 1: self = .began(process: try message.integer())
        case 2: self = .ended(status: try message.integer())
        case 3: self = .failed(try message.text())
        default: throw MessageError()
        }
    }
}

extension WorkEnd: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(code)
        message.put(tellsOfInterruption)
        message.put(fileCount)
        for count in [failed.never, failed.later, failed.elsewhere] { message.put(count) }
        message.put(endsAll)
        message.put(stops)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init(
            code: try message.integer(), tellsOfInterruption: try message.flag(), fileCount: try message.integer())
        (failed.never, failed.later) = (try message.integer(), try message.integer())
        failed.elsewhere = try message.integer()
        (endsAll, stops) = (try message.flag(), try message.flag())
    }
}

extension WorkNews: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .call(let call):
            message.put(0)
            message.put(call)
        case .output: message.put(1)
        case .diagnostics(let lines):
            message.put(2)
            message.put(lines)
        case .progress(let file, let fraction, let details):
            message.put(3)
            message.put(file)
            message.put(fraction)
            message.put(details)
        case .begins(let index, let before):
            message.put(4)
            message.put(index)
            message.put(before)
        case .done(let end):
            message.put(5)
            message.put(end)
        case .moves: message.put(6)
        case .warnings(let lines):
            message.put(7)
            message.put(lines)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .call(try message.value())
        case 1: self = .output
        case 2: self = .diagnostics(try message.text())
        case 3:
            self = .progress(file: try message.text(), fraction: try message.number(), details: try message.text())
        case 4: self = .begins(try message.integer(), before: try message.value())
        case 5: self = .done(try message.value())
        case 6: self = .moves
        case 7: self = .warnings(try message.text())
        default: throw MessageError()
        }
    }
}
