public import MediaCore

/// How many there are.
public typealias CMItemCount = CFIndex
/// Which one it is, from 0.
public typealias CMItemIndex = CFIndex
