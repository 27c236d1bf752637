package import MediaCore

/// The names that descriptions have for clients, as what they stand for.
extension AssetDescription {
    package var containerType: Container { Container(rawValue: container) }
}

extension TrackDescription {
    package var codecType: Codec { Codec(rawValue: codec) }
}

extension VideoDescription {
    package var fields: FieldOrder? { fieldOrder.flatMap(FieldOrder.init) }
}

extension ColorDescription {
    package var tags: ColorInfo {
        ColorInfo(
            primaries: primaries.flatMap(ColorPrimaries.init),
            transferFunction: transferFunction.flatMap(TransferFunction.init),
            yCbCrMatrix: yCbCrMatrix.flatMap(MatrixCoefficients.init), range: range.flatMap(ColorRange.init),
            chromaLocation: chromaLocation.flatMap(ChromaLocation.init))
    }
}
