internal import Foundation
internal import MediaFile
internal import MediaIsolation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The command-line tool: it starts a worker that reads the files, opens what the worker may have, and gives results
/// their names.
@main
enum AVTool {
    static func main() {
        Console.prepare()
        do {
            let options = try CommandLineOptions(CommandLineOptions.decoded())
            let signals = SignalWatch()
            let run = try WorkRun(options, signals)
            Console.exit(try run.run())
        } catch let mistake as CommandLineOptions.Mistake {
            Console.error("avtool: \(mistake.message)")
            Console.exit(64)
        } catch let error as ChannelError {
            Console.error("avtool: \(error.reason)")
            Console.exit(70)
        } catch {
            Console.error("avtool: \(error)")
            Console.exit(70)
        }
    }
}
