internal import Foundation
internal import MediaCore
package import MediaEngine
internal import MediaIO

/// A file came out larger than it may be, and could be made smaller.
struct LengthExcess: Error {
    /// Bytes that were made.
    let byteCount: Int64
    /// Bytes that there may be.
    let byteLimit: Int64
}

extension ExportWork {
    /// Attempts after which encoders are taken to be unable to make less.
    private static let maximumRetries = 5

    /// Finds out whether a finished file is as small as it has to be.
    ///
    /// - Parameter job: What made it; `nil` for coded samples that stay as they are.
    func checkLength(_ byteCount: UInt64, of job: PipelineJob?) throws {
        guard let limit = request.effectiveFileLengthLimit, byteCount > UInt64(clamping: limit) else { return }
        let made = Int64(clamping: byteCount)
        guard job?.hasChoiceOfRate ?? false else {
            throw AVError(
                .maximumFileSizeReached,
                reason: "the file would have \(made) bytes, more than \(limit), and nothing in it is encoded at a bit "
                    + "rate that could be lowered")
        }
        throw LengthExcess(byteCount: made, byteLimit: limit)
    }

    /// The same work with less to aim at.
    func retry(after excess: LengthExcess) throws -> ExportWork {
        var next = self
        next.retries += 1
        let budget = request.byteBudget ?? excess.byteLimit
        var share = Double(excess.byteLimit) / Double(excess.byteCount)
        // A bound that was not kept tells little of how an average will be, which is asked for from now on.
        if next.retries == 1 { share = max(share, 0.85) }
        // What an encoder does not follow it is asked for more firmly.
        let aim = Double(budget) * pow(share, next.retries > 2 ? 1.5 : 1) * 0.995
        next.request.byteBudget = Int64(max(1, aim))
        do {
            guard next.retries <= Self.maximumRetries else { throw tooLarge(excess) }
            _ = try next.plan()
        } catch is MediaLimitError {
            throw tooLarge(excess)
        }
        return next
    }

    private func tooLarge(_ excess: LengthExcess) -> MediaLimitError {
        MediaLimitError(
            reason: "\(excess.byteLimit) bytes are too few: the encoders made \(excess.byteCount), and not less when "
                + "they were told to; a smaller size, fewer pictures a second or a shorter range would do")
    }

    /// How much of all the work is done; what is done once more comes after what seemed to be nearly all.
    func overall(_ fraction: Double) -> Double {
        guard request.effectiveFileLengthLimit != nil else { return fraction }
        var (start, share) = (0.0, 0.95)
        for _ in 0..<retries { (start, share) = (start + share, (1 - start - share) * 0.95) }
        return start + min(1, max(0, fraction)) * share
    }
}
