/// Spaces and tabs, which text that programs write has between and around what it says.
extension Substring {
    /// Without spaces and tabs around it.
    package var withoutSpaces: Substring {
        // Bytes rather than characters: a mark that combines with a space must not hide that.
        let utf8 = utf8
        guard let first = utf8.firstIndex(where: { !$0.isSpace }), let last = utf8.lastIndex(where: { !$0.isSpace })
        else { return "" }
        return Substring(utf8[first...last])
    }
}

extension UInt8 {
    /// Whether it is a space or a tab.
    package var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
