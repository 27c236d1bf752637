/// Bits of a set of options.
public typealias CVOptionFlags = UInt64
