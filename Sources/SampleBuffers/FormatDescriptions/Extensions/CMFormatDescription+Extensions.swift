public import Foundation
public import MediaCore

extension CMFormatDescription {
    /// What a format description says besides type, sub-type and size: values by their keys.
    public struct Extensions: Sendable, Hashable, ExpressibleByDictionaryLiteral {
        /// The values by the keys of the dictionary form.
        package var values: [String: PropertyListValue]

        /// Extensions by the keys of the dictionary form.
        package init(values: [String: PropertyListValue]) { self.values = values }

        /// No extensions.
        public init() { values = [:] }

        /// Extensions by their keys; the last one of a key counts.
        public init(dictionaryLiteral elements: (Key, Value)...) {
            values = Dictionary(
                elements.map { ($0.name, $1.stored) }, uniquingKeysWith: { _, last in last })
        }

        /// The value of a key, `nil` if there is none.
        public subscript(key: Key) -> Value? {
            get { values[key.name].map { Value(stored: $0) } }
            set { values[key.name] = newValue?.stored }
        }

        /// How many there are.
        public var count: Int { values.count }
        /// Whether there are none.
        public var isEmpty: Bool { values.isEmpty }
        /// The keys, in no order.
        public var keys: [Key] { values.keys.map { Key(rawValue: CFString(string: $0)) } }
    }
}

extension CMFormatDescription.Extensions {
    /// The value of an extension.
    ///
    /// - Note: Two values are the same if they are in a property list. Core Media's cannot be compared.
    public struct Value: Sendable, Hashable {
        let stored: PropertyListValue

        init(stored: PropertyListValue) { self.stored = stored }

        /// The value as an object: text, a number, bytes, a list or a dictionary.
        public var propertyListRepresentation: CFPropertyList { stored.object }

        /// A value of an object; `nil` for an object that no property list has.
        public init?(propertyListRepresentation: CFPropertyList) {
            guard let stored = PropertyListValue(propertyListRepresentation) else { return nil }
            self.stored = stored
        }

        /// A number.
        public static func number(_ number: Int) -> Value { Value(stored: .integer(number)) }
        /// A number with a fraction.
        public static func number(_ number: Double) -> Value { Value(stored: .real(number)) }
        /// True or false.
        package static func flag(_ flag: Bool) -> Value { Value(stored: .flag(flag)) }
        /// Text.
        public static func string(_ text: CFString) -> Value { Value(stored: .text(String(describing: text))) }
        /// Red, green, blue and white points.
        public static func colorPrimaries(_ primaries: ColorPrimaries) -> Value {
            Value(stored: .text(primaries.name))
        }
        /// A curve.
        public static func transferFunction(_ function: TransferFunction) -> Value {
            Value(stored: .text(function.name))
        }
        /// A matrix between YCbCr and RGB.
        public static func yCbCrMatrix(_ matrix: YCbCrMatrix) -> Value { Value(stored: .text(matrix.name)) }
        /// How two fields lie in a picture.
        public static func fieldDetail(_ detail: FieldDetail) -> Value { Value(stored: .text(detail.name)) }
        /// Where chroma samples lie.
        public static func chromaLocation(_ location: ChromaLocation) -> Value {
            Value(stored: .text(location.name))
        }
        /// Whether colours are multiplied by alpha.
        public static func alphaChannelMode(_ mode: AlphaChannelMode) -> Value { Value(stored: .text(mode.name)) }
        /// The shape of a pixel.
        public static func pixelAspectRatio(horizontalSpacing: Int, verticalSpacing: Int) -> Value {
            Value(
                stored: .dictionary([
                    "HorizontalSpacing": .integer(horizontalSpacing), "VerticalSpacing": .integer(verticalSpacing),
                ]))
        }
        /// The part that is meant to be seen, the offsets from the picture's middle to the aperture's.
        public static func cleanAperture(
            width: Double, height: Double, horizontalOffset: Double, verticalOffset: Double
        ) -> Value {
            Value(
                stored: .dictionary([
                    "Width": .real(width), "Height": .real(height), "HorizontalOffset": .real(horizontalOffset),
                    "VerticalOffset": .real(verticalOffset),
                ]))
        }
    }
}
