import CFFmpeg
import Foundation
import TestSupport

@testable import FFmpegKit

extension Fixture {
    /// Opens the fixture with the default limits.
    func open(policy: SafetyPolicy = SafetyPolicy(), interrupt: Interrupt = Interrupt()) throws -> Demuxer {
        try Demuxer.open(path, policy: policy, interrupt: interrupt)
    }

    /// What is wrong with the fixture, `nil` if it opens.
    func openFailure(policy: SafetyPolicy = SafetyPolicy()) -> FFmpegError? {
        do {
            _ = try open(policy: policy)
            return nil
        } catch {
            return error as? FFmpegError
        }
    }

    /// The first frames of the first stream, decoded from the beginning.
    func frames(_ count: Int) throws -> [Frame] {
        let demuxer = try open()
        let decoder = try demuxer.makeDecoder(stream: 0)
        var frames: [Frame] = []
        var number: Int64 = 0
        var isDraining = false
        while frames.count < count {
            switch try decoder.receive().output {
            case .frame(let frame): frames.append(frame)
            case .end: return frames
            case .needsPacket where isDraining: return frames
            case .needsPacket:
                let packet = try demuxer.readPacket()
                if let packet, packet.streamIndex != 0 { continue }
                number += 1
                isDraining = packet == nil
                _ = try decoder.send(packet, number: number)
            }
        }
        return frames
    }

    /// Names of all files in the folder of fixtures.
    static let allNames: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        return (names ?? []).filter { !["README.md", "expected", "generate"].contains($0) }.sorted()
    }()
}

extension Packet {
    /// A packet of any bytes, flagged as a keyframe.
    static func key(_ bytes: [UInt8]) -> Packet {
        let packet = Packet()
        guard av_new_packet(packet.pointer, Int32(bytes.count)) == 0 else { preconditionFailure("out of memory") }
        for (index, byte) in bytes.enumerated() { packet.pointer.pointee.data[index] = byte }
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        return packet
    }
}
