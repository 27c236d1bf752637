// What goes between a process and its broker, as bytes.

extension FileCall: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .open(let path, let flags):
            message.put(0)
            message.put(path)
            message.put(flags)
        case .status(let path):
            message.put(1)
            message.put(path)
        case .temporaryFile: message.put(2)
        case .place(let path, let replaces, let makesFolder, let isFolder):
            message.put(3)
            message.put(path)
            for flag in [replaces, makesFolder, isFolder] { message.put(flag) }
        case .check(let path, let replaces):
            message.put(4)
            message.put(path)
            message.put(replaces)
        case .checkIsNoInput(let path):
            message.put(5)
            message.put(path)
        case .newFile(let place, let folder):
            message.put(6)
            message.put(place)
            message.put(folder) { $0.put($1) }
        case .newFolder(let place, let kind):
            message.put(7)
            message.put(place)
            message.put(kind.rawValue)
        case .newFileInFolder(let folder, let name):
            message.put(8)
            message.put(folder)
            message.put(name)
        case .openInFolder(let folder, let name):
            message.put(9)
            message.put(folder)
            message.put(name)
        case .link(let folder, let name, let other):
            message.put(10)
            message.put(folder)
            message.put(name)
            message.put(other)
        case .complete(let number, let isSynced):
            message.put(11)
            message.put(number)
            message.put(isSynced)
        case .discard(let number):
            message.put(12)
            message.put(number)
        case .rewrite(let path, let version, let pieces, let changes):
            message.put(13)
            message.put(path)
            message.put(version)
            message.put(list: pieces) { $0.put($1) }
            message.put(changes) { $0.put(list: $1) { $0.put($1) } }
        case .lock(let path):
            message.put(14)
            message.put(path)
        case .unlock(let path):
            message.put(15)
            message.put(path)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .open(path: try message.text(), flags: try message.integer())
        case 1: self = .status(path: try message.text())
        case 2: self = .temporaryFile
        case 3:
            self = .place(
                path: try message.text(), replaces: try message.flag(), makesFolder: try message.flag(),
                isFolder: try message.flag())
        case 4: self = .check(path: try message.text(), replaces: try message.flag())
        case 5: self = .checkIsNoInput(path: try message.text())
        case 6:
            self = .newFile(
                place: try message.integer(),
                temporaryFolder: try message.optional { message throws(MessageError) in try message.text() })
        case 7:
            let place = try message.integer(Int.self)
            guard let kind = ReplaceableFolder(rawValue: try message.text()) else { throw MessageError() }
            self = .newFolder(place: place, kind)
        case 8: self = .newFileInFolder(folder: try message.integer(), name: try message.text())
        case 9: self = .openInFolder(folder: try message.integer(), name: try message.text())
        case 10:
            self = .link(folder: try message.integer(), name: try message.text(), other: try message.text())
        case 11: self = .complete(try message.integer(), isSynced: try message.flag())
        case 12: self = .discard(try message.integer())
        case 13:
            self = .rewrite(
                path: try message.text(), try message.value(),
                try message.list { message throws(MessageError) in try message.value() },
                try message.optional { message throws(MessageError) in
                    try message.list { message throws(MessageError) in try message.value() }
                })
        case 14: self = .lock(path: try message.text())
        case 15: self = .unlock(path: try message.text())
        default: throw MessageError()
        }
    }
}

extension FileCall.Piece: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .bytes(let count):
            message.put(0)
            message.put(count)
        case .source(let range):
            message.put(1)
            message.put(range.lowerBound)
            message.put(range.upperBound)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .bytes(try message.integer())
        case 1: self = .source(try Range(from: &message))
        default: throw MessageError()
        }
    }
}

extension FileCall.Change: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .prepare(let count, let position):
            message.put(0)
            message.put(count)
            message.put(position)
        case .commit(let count, let position):
            message.put(1)
            message.put(count)
            message.put(position)
        case .truncate(let length):
            message.put(2)
            message.put(length)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .prepare(try message.integer(), at: try message.integer())
        case 1: self = .commit(try message.integer(), at: try message.integer())
        case 2: self = .truncate(try message.integer())
        default: throw MessageError()
        }
    }
}

extension FileAnswer: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .done: message.put(0)
        case .opened: message.put(1)
        case .systemError(let code):
            message.put(2)
            message.put(code)
        case .status(let bytes):
            message.put(3)
            message.put(bytes)
        case .place(let number, let target):
            message.put(4)
            message.put(number)
            message.put(target)
        case .made(let number):
            message.put(5)
            message.put(number)
        case .rewritten(let name):
            message.put(6)
            message.put(name)
        case .failed(let failure):
            message.put(7)
            message.put(failure)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .done
        case 1: self = .opened
        case 2: self = .systemError(try message.integer())
        case 3: self = .status(try message.list())
        case 4: self = .place(try message.integer(), try message.value())
        case 5: self = .made(try message.integer())
        case 6: self = .rewritten(try message.text())
        case 7: self = .failed(try message.value())
        default: throw MessageError()
        }
    }
}

extension FileAnswer.Failure: MessageValue {
    package func write(to message: inout MessageWriter) {
        for text in [kindName, path, reason] { message.put(text) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        (kindName, path, reason) = (try message.text(), try message.text(), try message.text())
    }
}

extension OutputTarget: MessageValue {
    package func write(to message: inout MessageWriter) {
        switch self {
        case .file(let path):
            message.put(0)
            message.put(path)
        case .stream(let path):
            message.put(1)
            message.put(path)
        case .empty(let path):
            message.put(3)
            message.put(path)
        case .descriptor(let number):
            message.put(2)
            message.put(number)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .file(try message.text())
        case 1: self = .stream(try message.text())
        case 2: self = .descriptor(try message.integer())
        case 3: self = .empty(try message.text())
        default: throw MessageError()
        }
    }
}

extension FileVersion: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(device)
        message.put(inode)
        message.put(size)
        message.put(seconds)
        message.put(nanoseconds)
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        (device, inode, size) = (try message.integer(), try message.integer(), try message.integer())
        (seconds, nanoseconds) = (try message.integer(), try message.integer())
    }
}

extension FileGrants: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.put(list: inputs) { $0.put($1) }
        message.put(list: nestedFolders) { $0.put($1) }
        message.put(list: results) { $0.put(list: $1.literals) { $0.put($1) } }
        message.put(list: changeable) { $0.put($1) }
        message.put(temporaryFolder) { $0.put($1) }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        self.init()
        inputs = Set(try message.list { message throws(MessageError) in try message.text() })
        nestedFolders = try message.list { message throws(MessageError) in try message.text() }
        results = try message.list { message throws(MessageError) in
            ResultRule(literals: try message.list { message throws(MessageError) in try message.text() })
        }
        changeable = Set(try message.list { message throws(MessageError) in try message.text() })
        temporaryFolder = try message.optional { message throws(MessageError) in try message.text() }
    }
}
