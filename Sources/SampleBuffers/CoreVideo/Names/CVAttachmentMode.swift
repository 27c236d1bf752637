/// Whether what is attached to a buffer goes along to buffers made from it.
public enum CVAttachmentMode: UInt32, Sendable {
    /// It stays with the buffer, as a time of display does.
    case shouldNotPropagate = 0
    /// It goes along, as the colours do.
    case shouldPropagate = 1
}
