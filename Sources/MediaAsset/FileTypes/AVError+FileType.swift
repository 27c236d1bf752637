internal import Foundation
public import MediaCore

extension AVError {
    /// The kind of file; `nil`, since no error here has one, unless it was put in.
    public var fileType: AVFileType? {
        let value = userInfo[AVErrorFileTypeKey]
        return value as? AVFileType ?? (value as? String).map(AVFileType.init(rawValue:))
    }
}
