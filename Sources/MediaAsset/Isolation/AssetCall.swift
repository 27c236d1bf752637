package import MediaIO

/// What is asked of the worker that reads an asset's file.
package enum AssetCall: MessageValue {
    case facts
    case metadata
    case sampleDataLength(track: Int32)
    case time(ofFrame: Int)
    case syncSamples
    case samples(stream: Int)
    /// Which version of the file was opened, and whether it still is that.
    case fileState
    /// Stills, as a request of theirs says, of another module.
    case stills([UInt8])
    /// Covers, in the same way.
    case attachedPictures([UInt8])

    package func write(to message: inout MessageWriter) {
        switch self {
        case .facts: message.put(0)
        case .metadata: message.put(1)
        case .sampleDataLength(let track):
            message.put(2)
            message.put(track)
        case .time(let number):
            message.put(3)
            message.put(number)
        case .syncSamples: message.put(4)
        case .samples(let stream):
            message.put(5)
            message.put(stream)
        case .fileState: message.put(6)
        case .stills(let request):
            message.put(7)
            message.put(request)
        case .attachedPictures(let request):
            message.put(8)
            message.put(request)
        }
    }

    package init(from message: inout MessageReader) throws(MessageError) {
        switch try message.integer(Int.self) {
        case 0: self = .facts
        case 1: self = .metadata
        case 2: self = .sampleDataLength(track: try message.integer())
        case 3: self = .time(ofFrame: try message.integer())
        case 4: self = .syncSamples
        case 5: self = .samples(stream: try message.integer())
        case 6: self = .fileState
        case 7: self = .stills(try message.list())
        case 8: self = .attachedPictures(try message.list())
        default: throw MessageError()
        }
    }
}
