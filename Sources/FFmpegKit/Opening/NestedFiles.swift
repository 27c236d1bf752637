internal import CFFmpeg
internal import MediaIO

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// What a playlist may open, and what it tried to open in vain.
///
/// Only for files that say at their beginning that they are playlists, and only
/// where their format was allowed: a playlist's folder and what lies below it,
/// and http(s) addresses where the network is allowed.
final class NestedFiles {
    let pointer: OpaquePointer
    /// What the names in the playlist are relative to: its own absolute path, or its address.
    let address: String

    /// `nil` for an input that opens nothing else.
    init?(for source: InputContext.Source, policy: SafetyPolicy, interrupt: Interrupt) {
        guard policy.allowsNesting else { return nil }
        switch source {
        case .file(let path):
            guard let file = RandomAccessFile(path: path), let folder = realPath(path.parentFolder),
                file.read(at: 0, count: PlaylistFiles.firstBytes.count) == PlaylistFiles.firstBytes,
                let pointer = folder.withPathBytes({ oav_nested_create($0, policy.allowsNetwork ? 1 : 0) })
            else { return nil }
            self.pointer = pointer
            if FileAccess.broker != nil {
                let opener: @convention(c) (UnsafePointer<CChar>?) -> Int32 = { path in
                    guard let path else { return -EINVAL }
                    let bytes = UnsafeBufferPointer(start: path, count: strlen(path)).map { UInt8(bitPattern: $0) }
                    let descriptor = MediaIO.open(String(pathBytes: bytes), O_RDONLY | O_CLOEXEC)
                    return descriptor < 0 ? -errno : descriptor
                }
                oav_nested_set_opener(pointer, opener, interrupt.pointer)
            }
            address = (folder == "/" ? "" : folder) + "/" + path.lastName
        case .address(let address):
            guard let pointer = oav_nested_create(nil, 1) else { return nil }
            (self.pointer, self.address) = (pointer, address)
        case .pipe: return nil
        }
    }

    deinit { oav_nested_free(pointer) }

    /// The first address that was not opened, and why.
    var refusal: String? {
        oav_nested_refusal(pointer).map { text in
            let bytes = UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
            return String(pathBytes: bytes).withVisiblePathBytes
        }
    }
}

extension String {
    fileprivate var lastName: String { split(separator: "/").last.map(String.init) ?? "" }
}
