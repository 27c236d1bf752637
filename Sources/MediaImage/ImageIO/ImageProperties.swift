internal import Foundation

/// Values under Image I/O's keys: text, numbers, lists, and such values within one another.
struct ImageProperties {
    var values: [String: Any] = [:]

    init(_ values: [String: Any] = [:]) { self.values = values }

    /// What a client gave; without what is no text under keys that are no text.
    init(_ dictionary: NSDictionary?) {
        for (key, value) in dictionary ?? [:] {
            guard let key = (key as? String) ?? (key as? NSString).map({ $0 as String }) else { continue }
            values[key] = value
        }
    }

    subscript(key: NSString) -> Any? {
        get { values[key as String] }
        set { values[key as String] = newValue }
    }

    func number(_ key: NSString) -> Double? { Self.number(self[key]) }

    /// A number of any type: what is put into a dictionary becomes an object on Apple's platforms, here not always.
    static func number(_ value: Any?) -> Double? {
        switch value {
        case let number as NSNumber: number.doubleValue
        case let number as CGFloat: Double(number)
        case let number as any BinaryFloatingPoint: Double(number)
        case let number as any BinaryInteger: Double(number)
        default: nil
        }
    }

    /// The values under a key that has such.
    func group(_ key: NSString) -> ImageProperties {
        if let group = self[key] as? [String: Any] { return ImageProperties(group) }
        return ImageProperties(self[key] as? NSDictionary)
    }

    /// These with others, which go first; what is `NSNull` in those is taken out.
    func replaced(by others: ImageProperties) -> ImageProperties {
        var result = self
        for (key, value) in others.values {
            if value is NSNull {
                result.values[key] = nil
            } else if key.hasPrefix("{") {
                let key = NSString(string: key)
                result[key] = group(key).replaced(by: others.group(key)).values
            } else {
                result.values[key] = value
            }
        }
        return result
    }

    var dictionary: NSDictionary { Self.object(values) as? NSDictionary ?? [:] }

    private static func object(_ value: Any) -> AnyObject {
        switch value {
        case let group as [String: Any]:
            let result = NSMutableDictionary()
            for (key, value) in group { result.setObject(object(value), forKey: NSString(string: key)) }
            return result
        case let list as [Any]: return NSArray(array: list.map { object($0) })
        case let text as String: return NSString(string: text)
        case let flag as Bool: return NSNumber(value: flag)
        case let number as Int: return NSNumber(value: number)
        case let number as Double: return NSNumber(value: number)
        default: return value as AnyObject
        }
    }
}

extension CGImageSource {
    /// What cameras wrote.
    var metadata: MetadataDirectory? {
        format.flatMap { FileChunks.exif($0, bytes) }.flatMap { MetadataDirectory($0) }
    }

    /// How the images are to be turned.
    var orientation: CGImagePropertyOrientation {
        (metadata?.picture["Orientation"] as? Int).flatMap { UInt32(exactly: $0) }
            .flatMap { CGImagePropertyOrientation(rawValue: $0) } ?? .up
    }

    var properties: ImageProperties {
        var properties = ImageProperties()
        properties[kCGImagePropertyFileSize] = byteCount
        if format == .gif {
            var group = ImageProperties()
            // A file that does not say is shown once.
            group[kCGImagePropertyGIFLoopCount] = animation.loopCount ?? 1
            if let canvas = animation.canvas {
                group[kCGImagePropertyGIFHasGlobalColorMap] = canvas.hasColorMap
                group[kCGImagePropertyGIFCanvasPixelWidth] = canvas.width
                group[kCGImagePropertyGIFCanvasPixelHeight] = canvas.height
            }
            properties[kCGImagePropertyGIFDictionary] = group.values
        } else if format == .png, let count = animation.loopCount {
            properties[kCGImagePropertyPNGDictionary] = [kCGImagePropertyAPNGLoopCount as String: count]
        }
        return properties
    }

    func properties(at index: Int) -> ImageProperties? {
        guard let format, let facts = reader.facts() else { return nil }
        var properties = ImageProperties()
        properties[kCGImagePropertyPixelWidth] = facts.width
        properties[kCGImagePropertyPixelHeight] = facts.height
        properties[kCGImagePropertyDepth] = facts.depth
        properties[kCGImagePropertyColorModel] =
            (facts.isGrey ? kCGImagePropertyColorModelGray : kCGImagePropertyColorModelRGB) as String
        if facts.hasAlpha { properties[kCGImagePropertyHasAlpha] = true }
        if facts.isIndexed { properties[kCGImagePropertyIsIndexed] = true }
        add(metadata, to: &properties)
        if let resolution = FileChunks.resolution(format, bytes) ?? metadata?.resolution {
            properties[kCGImagePropertyDPIWidth] = resolution.x
            properties[kCGImagePropertyDPIHeight] = resolution.y
        }
        let delays = animation.delays
        if format == .gif, delays.indices.contains(index) {
            properties[kCGImagePropertyGIFDictionary] = [
                kCGImagePropertyGIFDelayTime as String: Self.shown(delays[index]),
                kCGImagePropertyGIFUnclampedDelayTime as String: delays[index],
            ]
        } else if format == .png, animation.loopCount != nil, delays.indices.contains(index) {
            properties[kCGImagePropertyPNGDictionary] = [
                kCGImagePropertyAPNGDelayTime as String: Self.shown(delays[index]),
                kCGImagePropertyAPNGUnclampedDelayTime as String: delays[index],
            ]
        }
        return properties
    }

    private func add(_ metadata: MetadataDirectory?, to properties: inout ImageProperties) {
        guard let metadata else { return }
        if let code = metadata.picture["Orientation"] { properties[kCGImagePropertyOrientation] = code }
        for (key, values) in [
            (kCGImagePropertyTIFFDictionary, metadata.picture), (kCGImagePropertyExifDictionary, metadata.exposure),
            (kCGImagePropertyGPSDictionary, metadata.position),
        ] where !values.isEmpty {
            properties[key] = values
        }
    }

    /// Browsers show for a tenth of a second what is to be shown for no time.
    private static func shown(_ delay: Double) -> Double { delay < 0.015 ? 0.1 : delay }
}

extension CGImage {
    /// The image with no more than so many pixels in either direction.
    func fitted(into limit: Int?) -> CGImage? {
        guard let limit, limit > 0, max(width, height) > limit else { return self }
        let factor = Double(limit) / Double(max(width, height))
        let size = (
            width: max(1, Int((Double(width) * factor).rounded())),
            height: max(1, Int((Double(height) * factor).rounded()))
        )
        guard hasAlpha else {
            return (try? scaled(width: size.width, height: size.height)).flatMap {
                CGImage(
                    width: $0.width, height: $0.height, pixels: $0.pixels, format: format, colorSpace: colorSpace)
            }
        }
        // Colours weigh as much as they are opaque.
        let context = CGContext(
            data: nil, width: size.width, height: size.height, bitsPerComponent: 8, bytesPerRow: 0,
            space: CGColorSpace.withColors(of: colorSpace), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
        context?.setBlendMode(.copy)
        context?.draw(self, in: CGRect(x: 0, y: 0, width: size.width, height: size.height))
        return context?.makeImage()
    }

    /// The image upright.
    func turned(_ orientation: CGImagePropertyOrientation) -> CGImage? {
        guard orientation != .up else { return self }
        let turned = oriented(orientation.turn)
        return CGImage(
            width: turned.width, height: turned.height, pixels: turned.pixels, format: format, colorSpace: colorSpace)
    }
}

extension CGColorSpace {
    /// A space of RGB for what is drawn of an image.
    static func withColors(of space: CGColorSpace?) -> CGColorSpace {
        guard let space, !space.isGrey else { return CGColorSpaceCreateDeviceRGB() }
        return space
    }
}
