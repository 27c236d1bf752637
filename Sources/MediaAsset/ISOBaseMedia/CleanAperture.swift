internal import MediaContainers

extension CleanAperture {
    /// The aperture in whole pixels of a coded picture, `nil` if it does not
    /// lie inside.
    func rect(in size: PixelSize) -> PixelRect? {
        let left = ((Double(size.width) - width) / 2 + horizontalOffset).rounded()
        let top = ((Double(size.height) - height) / 2 + verticalOffset).rounded()
        let rect = PixelRect(
            x: Int(clamping: left), y: Int(clamping: top), width: Int(clamping: width.rounded()),
            height: Int(clamping: height.rounded()))
        let isInside =
            rect.x >= 0 && rect.y >= 0 && rect.x + rect.width <= size.width && rect.y + rect.height <= size.height
        return isInside ? rect : nil
    }
}

extension Int {
    /// The nearest whole number that is small enough to calculate with.
    fileprivate init(clamping value: Double) {
        self = value.isFinite ? Int(Swift.min(1e9, Swift.max(-1e9, value))) : 0
    }
}
