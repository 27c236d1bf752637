internal import ArgumentParser
internal import MediaPreviews

/// Where times stand on a sheet.
enum SheetLabelPlace: String, CaseIterable, Codable, ExpressibleByArgument {
    case under, on, none

    var labels: ContactSheet.Labels {
        switch self {
        case .under: .under
        case .on: .on
        case .none: .none
        }
    }
}
