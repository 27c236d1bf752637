import Foundation
import MediaIO

/// Too much of something, sent to the process that started the worker.
struct Flood {
    let channel: Channel
    let descriptor: Int32
    let file: String

    func perform(_ kind: String) -> String {
        do {
            switch kind {
            case "output": while true { try sayMebibyte() }
            case "diagnostics":
                let line = String(repeating: "a", count: 1 << 16)
                while true { try channel.send(WorkNews.diagnostics(line)) }
            case "calls": while true { try channel.send(WorkNews.call(.status(path: file))) }
            case "places": try places()
            case "descriptors": descriptors()
            case "bytes": raw([UInt8](repeating: 0xA5, count: 1 << 20))
            case "claim": claim()
            default: for _ in 0..<(Int(kind) ?? 0) { try sayMebibyte() }
            }
            return "sent"
        } catch { return "nobody" }
    }

    private func sayMebibyte() throws {
        try channel.send(WorkNews.output, bytes: [UInt8](repeating: 0x61, count: 1 << 20))
    }

    /// More open files than anybody has.
    private func places() throws {
        for number in 0..<4_000 {
            let name = "\(file)-\(number).png"
            try channel.send(
                WorkNews.call(.place(path: name, replaces: true, makesFolder: false, isFolder: false)))
            guard let answer = try channel.receive(FileAnswer.self), case .place(let number, _) = answer.value else {
                continue
            }
            try channel.send(WorkNews.call(.newFile(place: number, temporaryFolder: nil)))
            for descriptor in try channel.receive(FileAnswer.self)?.descriptors ?? [] { close(descriptor) }
        }
    }

    /// One message of many bytes, each of which comes with open files.
    private func descriptors() {
        var head = MessageWriter()
        head.put(1 << 20)
        head.put(0)
        raw(head.bytes)
        let files = [Int32](repeating: 0, count: 8)
        for _ in 0..<(1 << 20) where !send(byte: 0x61, files) { return }
    }

    /// A message that says that it is longer than any memory.
    private func claim() {
        var head = MessageWriter()
        head.put(1 << 62)
        head.put(1 << 62)
        raw(head.bytes)
    }

    private func raw(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private func send(byte: UInt8, _ files: [Int32]) -> Bool {
        let space = MemoryLayout<cmsghdr>.size + files.count * MemoryLayout<Int32>.size
        let control = UnsafeMutableRawPointer.allocate(byteCount: space, alignment: MemoryLayout<cmsghdr>.alignment)
        defer { control.deallocate() }
        let header = control.assumingMemoryBound(to: cmsghdr.self)
        (header.pointee.cmsg_len, header.pointee.cmsg_level) = (numericCast(space), SOL_SOCKET)
        header.pointee.cmsg_type = Int32(SCM_RIGHTS)
        let start = (control + MemoryLayout<cmsghdr>.size).assumingMemoryBound(to: Int32.self)
        for (index, file) in files.enumerated() { start[index] = file }
        var byte = byte
        return withUnsafeMutableBytes(of: &byte) { bytes in
            var part = iovec(iov_base: bytes.baseAddress, iov_len: 1)
            return withUnsafeMutablePointer(to: &part) { part in
                var message = msghdr()
                (message.msg_iov, message.msg_iovlen) = (part, 1)
                (message.msg_control, message.msg_controllen) = (control, numericCast(space))
                return sendmsg(descriptor, &message, 0) == 1
            }
        }
    }
}
