internal import Foundation
package import MediaCore

/// Brings HDR light (ITU-R BT.2100) into the range of an SDR picture.
///
/// HDR's reference white of 203 cd/m² (ITU-R BT.2408) becomes SDR's white, so
/// that mid-grey and skin keep their place. Light below the knee is left as it
/// is; above it, the curve of ITU-R BT.2390 rolls off towards the content's
/// peak. The greater part of the result keeps the ratios between components,
/// the rest is mapped each by itself, so that bright colours neither shift in
/// hue nor stay glaring. Colours outside BT.709 are drawn towards grey of equal
/// luminance, those too bright for it are darkened.
package struct ToneMap: Sendable {
    private static let referenceWhite = 203.0
    private static let steps = 4096

    /// From the signal, as 12-bit codes with a fraction, to light: relative to
    /// reference white for PQ, to the peak of the scene for HLG.
    private let light: [Float]
    /// The factor for light, by the fourth root of its share of the peak.
    private let gain: [Float]
    /// sRGB's codes by the square root of light.
    private let codes: [Float]
    private let peak: Float
    private let isHLG: Bool
    private let luminance: SIMD3<Float>
    private let toBT709: [SIMD3<Float>]

    /// - Parameter peakLuminance: The content's brightest light in cd/m², 1000 if unknown.
    package init(transfer: HDRTransfer, primaries: Chromaticities, peakLuminance: Double?) {
        isHLG = transfer == .hlg
        // HLG's light depends on the display; it is made for one of 1000 cd/m².
        let known = isHLG ? 1000 : peakLuminance ?? 1000
        let peak = min(4000, max(Self.referenceWhite, known)) / Self.referenceWhite
        self.peak = Float(peak)
        let steps = Self.steps
        light = (0...(4 * steps)).map { index in
            let signal = Double(index) / Double(4 * steps)
            return Float(
                transfer == .hlg ? Self.hlgScene(signal) : Self.pqLuminance(signal) / Self.referenceWhite)
        }
        gain = (0...steps).map { index in
            let share = pow(Double(index) / Double(steps), 4)
            return share == 0 ? 1 : Float(Self.rolledOff(share * peak, peak: peak) / (share * peak))
        }
        codes = (0...steps).map { index in
            let value = pow(Double(index) / Double(steps), 2)
            return Float(255 * (value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055))
        }
        let rows = Matrix3.multiply(Matrix3.inverse(Chromaticities.bt709.toXYZ), primaries.toXYZ)
        toBT709 = rows.map { SIMD3(Float($0[0]), Float($0[1]), Float($0[2])) }
        let y = primaries.toXYZ[1]
        luminance = SIMD3(Float(y[0]), Float(y[1]), Float(y[2]))
    }

    /// The codes of sRGB, 0 to 255, for a signal of 0 to 1.
    package func sRGB(_ signal: SIMD3<Float>) -> SIMD3<Float> {
        var linear = SIMD3(
            lookUp(light, signal.x), lookUp(light, signal.y), lookUp(light, signal.z))
        if isHLG { linear *= displayFactor(linear) }
        linear = rolledOff(linear)
        var color = SIMD3(
            (toBT709[0] * linear).sum(), (toBT709[1] * linear).sum(), (toBT709[2] * linear).sum())
        color = Self.insideGamut(color)
        return SIMD3(
            lookUp(codes, color.x.squareRoot()), lookUp(codes, color.y.squareRoot()),
            lookUp(codes, color.z.squareRoot()))
    }

    private func lookUp(_ table: [Float], _ position: Float) -> Float {
        let scaled = position * Float(table.count - 1)
        let index = min(Int(scaled), table.count - 2)
        let fraction = scaled - Float(index)
        return table[index] + (table[index + 1] - table[index]) * fraction
    }

    /// The opto-optical function of HLG for a display of 1000 cd/m².
    private func displayFactor(_ scene: SIMD3<Float>) -> Float {
        let brightness = max((luminance * scene).sum(), 1e-6)
        return Float(1000 / Self.referenceWhite) * pow(brightness, 0.2)
    }

    private func rolledOff(_ linear: SIMD3<Float>) -> SIMD3<Float> {
        let brightest = linear.max()
        let together = linear * gain(brightest)
        let apart = SIMD3(linear.x * gain(linear.x), linear.y * gain(linear.y), linear.z * gain(linear.z))
        return together * 0.7 + apart * 0.3
    }

    private func gain(_ light: Float) -> Float {
        lookUp(gain, min(1, light / peak).squareRoot().squareRoot()) * (light > peak ? peak / light : 1)
    }

    private static func insideGamut(_ color: SIMD3<Float>) -> SIMD3<Float> {
        let grey = min(1, max(0, (SIMD3<Float>(0.2126, 0.7152, 0.0722) * color).sum()))
        let share = color.min() < 0 ? grey / (grey - color.min()) : 1
        let inside = SIMD3(repeating: grey) + (color - SIMD3(repeating: grey)) * share
        return (inside / max(1, inside.max())).clamped(lowerBound: .zero, upperBound: .one)
    }

    // MARK: Curves

    /// ITU-R BT.2390, 5.4.1: from light to light, both relative to reference white.
    private static func rolledOff(_ light: Double, peak: Double) -> Double {
        let top = pqSignal(peak * referenceWhite)
        let white = pqSignal(referenceWhite) / top
        let knee = 1.5 * white - 0.5
        let signal = pqSignal(light * referenceWhite) / top
        guard signal > knee, white < 1 else { return light }
        let t = (signal - knee) / (1 - knee)
        let (t2, t3) = (t * t, t * t * t)
        let bent = (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * white
        return pqLuminance(bent * top) / referenceWhite
    }

    private static let (m1, m2) = (0.1593017578125, 78.84375)
    private static let (c1, c2, c3) = (0.8359375, 18.8515625, 18.6875)

    /// SMPTE ST 2084: from signal to cd/m².
    private static func pqLuminance(_ signal: Double) -> Double {
        let power = pow(signal, 1 / m2)
        return 10000 * pow(max(0, power - c1) / (c2 - c3 * power), 1 / m1)
    }

    private static func pqSignal(_ luminance: Double) -> Double {
        let power = pow(luminance / 10000, m1)
        return pow((c1 + c2 * power) / (1 + c3 * power), m2)
    }

    /// ITU-R BT.2100: from the HLG signal to the light of the scene.
    private static func hlgScene(_ signal: Double) -> Double {
        signal <= 0.5 ? signal * signal / 3 : (exp((signal - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }
}
