#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension CMTime: CustomStringConvertible {
    /// The fields and the seconds to three decimals, as `{1/2 = 0.500}`.
    ///
    /// A rounded time adds `, rounded`, one in an epoch `, epoch` and its number.
    ///
    /// - Note: The forms `{INDEFINITE}`, `{+INFINITY}` and `{-INFINITY}`, and
    ///   that of the epoch, are not documented.
    public var description: String {
        switch kind {
        case .invalid: return "{INVALID}"
        case .indefinite: return "{INDEFINITE}"
        case .positiveInfinity: return "{+INFINITY}"
        case .negativeInfinity: return "{-INFINITY}"
        case .numeric: break
        }
        let epochPart = epoch == 0 ? "" : ", epoch \(epoch)"
        let roundedPart = hasBeenRounded ? ", rounded" : ""
        return "{\(value)/\(timescale) = \(secondsToThreeDecimals)\(epochPart)\(roundedPart)}"
    }

    /// The seconds of a numeric time as C's `%.3f` writes them: the `Double` is
    /// rounded as the exact number that it is, and ties go to the even digit.
    var secondsToThreeDecimals: String {
        let magnitude = seconds.magnitude
        var whole = magnitude.rounded(.towardZero)
        let fraction = magnitude - whole
        let product = fraction * 1000
        var thousandths = product.rounded(.toNearestOrEven)
        if product - product.rounded(.towardZero) == 0.5 {
            // The product may itself have been rounded to the tie; its error says from which side.
            let error = (-product).addingProduct(fraction, 1000)
            if error != 0 { thousandths = product.rounded(error > 0 ? .up : .down) }
        }
        if thousandths == 1000 { (whole, thousandths) = (whole + 1, 0) }
        return "\(value < 0 ? "-" : "")\(UInt64(whole)).\(UInt64(thousandths).zeroPadded(to: 3))"
    }
}

/// Returns the text of a time, as its `description`.
///
/// - Parameter allocator: `kCFAllocatorDefault` or nil; there are no others.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> String? { time.description }

/// Writes the text of a time and a newline to standard error, for debugging.
public func CMTimeShow(_ time: CMTime) { showOnStandardError(time.description) }

/// Writes one line of debugging text to standard error, as far as it takes it.
func showOnStandardError(_ text: String) {
    var line = text + "\n"
    line.withUTF8 { bytes in
        // A partial or failed write loses debugging text only; there is nobody to tell.
        _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
}
