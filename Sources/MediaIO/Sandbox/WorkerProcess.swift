internal import CLinux
internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A worker that was started: the executable that reads strangers' files.
///
/// Once it has understood the command line it reads nothing itself where there are several pieces of work: each is
/// done by a copy of it, which has loaded all libraries already, and goes when the work is done.
package final class WorkerProcess: Sendable {
    /// How a worker is started.
    package struct Settings: Sendable, Equatable {
        package var executable: String
        /// What is wanted of the kernel.
        package var isolation = Isolation.all
        package var allowsNetwork = false
        /// Files and folders that libraries read.
        package var readable: [String] = []
        /// Bytes of address space; 0 for no limit.
        var addressSpace: UInt64 = 0
        /// Bytes of a file; 0 for no limit.
        package var fileSize: UInt64 = 0
        var openFiles: UInt64 = 4096

        package init(executable: String) { self.executable = executable }
    }

    package let process: Int32
    /// What the kernel does.
    package let isolation: Isolation
    package let channel: Channel
    /// What it says for itself, such as the words of a library that aborts.
    private let lastWords: Int32
    /// Held by whoever asks it for something.
    private let asking = Mutex(())

    /// Starts a worker.
    ///
    /// The thread that does so has to live as long as the worker is to.
    package init(_ settings: Settings) throws(ChannelError) {
        let (channel, other) = try Channel.pair()
        var (words, ownEnd) = (Int32(-1), Int32(-1))
        let failure = avt_socket_pair(&words, &ownEnd)
        defer {
            close(other)
            close(ownEnd)
        }
        guard failure == 0 else { throw ChannelError(reason: String(cString: strerror(failure))) }
        // Whoever says too much is not listened to, and need not wait.
        for end in [words, ownEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        var process: pid_t = -1
        var active: UInt32 = 0
        let code = Self.withStrings([settings.executable]) { arguments in
            Self.withStrings(Self.environment()) { environment in
                Self.withStrings(settings.readable) { readable in
                    settings.executable.withCString { path in
                        var worker = avt_worker()
                        worker.path = path
                        worker.arguments = UnsafePointer(arguments)
                        worker.environment = UnsafePointer(environment)
                        (worker.channel, worker.errors) = (other, ownEnd)
                        worker.wanted = settings.isolation.rawValue
                        readable.withMemoryRebound(
                            to: UnsafePointer<CChar>?.self, capacity: settings.readable.count + 1
                        ) { worker.readable = UnsafePointer($0) }
                        worker.readable_count = settings.readable.count
                        worker.allows_network = settings.allowsNetwork ? 1 : 0
                        worker.address_space = settings.addressSpace
                        worker.file_size = settings.fileSize
                        worker.open_files = settings.openFiles
                        return avt_worker_start(&worker, &process, &active)
                    }
                }
            }
        }
        guard code == 0 else {
            close(words)
            throw ChannelError(
                reason: "\(settings.executable): \(String(cString: strerror(code)))",
                kind: code == ENOMEM || code == EAGAIN ? .outOfMemory : .system)
        }
        (self.process, self.channel, lastWords) = (process, channel, words)
        isolation = Isolation(rawValue: active).union(settings.isolation.intersection(.calls))
    }

    deinit { close(lastWords) }

    /// Asks it for something, and waits for the answer.
    ///
    /// Any thread may ask.
    package func ask(_ order: WorkOrder, descriptors: [Int32] = []) throws(ChannelError) -> WorkReply {
        let result: Result<WorkReply, ChannelError> = asking.withLock { _ in
            do throws(ChannelError) {
                try channel.send(order, descriptors: descriptors)
                guard let reply = try channel.receive(WorkReply.self) else {
                    throw ChannelError(reason: "the worker is gone")
                }
                return .success(reply.value)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// What the worker or one of its libraries said for itself at the end, in one line.
    package func readLastWords() -> String? { firstWords(of: readWords()) }

    /// The first line that says something.
    package func firstWords(of words: String) -> String? {
        words.split(separator: "\n").first { !$0.allSatisfy(\.isWhitespace) }.map { String($0.prefix(300)) }
    }

    /// All that it said since it was last listened to, as much as there is room for.
    package func readWords() -> String {
        var (words, bytes) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while words.count < Self.maximumWords {
            let count = read(lastWords, &bytes, bytes.count)
            guard count > 0 else { break }
            words += bytes.prefix(count)
        }
        return String(decoding: words, as: UTF8.self)
    }

    /// Bytes of a worker's own words that are listened to: the system keeps some hundred thousand.
    private static let maximumWords = 1 << 18

    /// Lets it end, and waits for that, so that what it took counts as what this process took.
    ///
    /// - Returns: How it ended, as `waitpid` has it.
    @discardableResult
    package func end() -> Int32 {
        channel.shutDown()
        return wait()
    }

    /// The signal that has ended it; 0 for none.
    ///
    /// The system sends SIGKILL where memory is short.
    package var endingSignal: Int32 { avt_ending_signal(process) }

    /// Ends it and its copies.
    package func kill() {
        _ = Glibc.kill(process, SIGKILL)
        _ = wait()
    }

    /// Waits for the end of a copy that has ended its channel, and ends one that lives on.
    ///
    /// - Returns: Whether it went by itself.
    package func awaitEnd(ofCopy copy: Int32, seconds: Int) -> Bool {
        let handle = avt_open_process(copy)
        defer { if handle >= 0 { close(handle) } }
        let isGone = handle < 0 && errno == ESRCH
        if isGone || handle >= 0 && avt_process_ends(handle, Int32(clamping: seconds * 1000)) != 0 { return true }
        // The worker has not been told to wait for it, so that the number is still this one's.
        _ = Glibc.kill(copy, SIGKILL)
        return false
    }

    /// Waits for its end.
    ///
    /// - Returns: How it ended, as `waitpid` has it.
    @discardableResult
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// What of the environment a worker gets: what libraries look at, and no secrets.
    private static func environment() -> [String] {
        let names: Set = [
            "HOME", "LANG", "LANGUAGE", "TMPDIR", "TZ", "TZDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME",
            "XDG_DATA_HOME", "XDG_DATA_DIRS", "LLVM_PROFILE_FILE", "http_proxy", "https_proxy", "no_proxy",
        ]
        let prefixes = ["LC_", "LD_", "FONTCONFIG_", "AVTOOL_", "MALLOC_", "GLIBC_"]
        return ProcessInfo.processInfo.environment.filter { name, _ in
            names.contains(name) || prefixes.contains { name.hasPrefix($0) } || name.hasSuffix("SAN_OPTIONS")
        }.map { "\($0)=\($1)" }
    }

    private static func withStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = strings.map { $0.withPathBytes { strdup($0) } } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            // It holds at least the end.
            guard let base = buffer.baseAddress else { preconditionFailure("no room for strings") }
            return body(base)
        }
    }
}

/// Where the worker's executable is.
package enum WorkerExecutable {
    private static let name = "avtool-worker"
    /// Where packages have it, whichever program asks.
    private static let installed = ["/usr/local/libexec/avtool", "/usr/libexec/avtool"]

    /// The worker beside this process's own executable, or where packages have it.
    ///
    /// - Parameter isLibrary: Whether this process may be any program, rather than the tool that the worker belongs to.
    package static func find(isLibrary: Bool = false) throws(ChannelError) -> String {
        guard let own = realPath("/proc/self/exe") else { throw ChannelError(reason: "/proc is not there") }
        let folder = own.parentFolder
        let folders = [folder, "\(folder.parentFolder)/libexec/avtool"] + (isLibrary ? installed : [])
        let places = folders.map { "\($0)/\(name)" }
        guard let found = places.first(where: { access($0, X_OK) == 0 }) else {
            let whose = isLibrary ? "the library" : "avtool"
            throw ChannelError(reason: "\(places[0]): no such file; it belongs to \(whose)")
        }
        return found
    }
}

/// What a worker does with itself.
package enum WorkerCopy {
    /// Has calls refused from now on: the worker's first act.
    ///
    /// - Returns: Whether the kernel does it.
    package static func refuseCalls(allowsNetwork: Bool) -> Bool {
        avt_refuse_calls(allowsNetwork ? 1 : 0) == 0
    }

    /// Bounds the memory of this process for good.
    ///
    /// What counts is what it may write to and shares with nobody: heap, threads' stacks and private mappings, whether
    /// they are used yet or not. Libraries and mapped files, which the address space would count, do not.
    package static func limitMemory(_ bytes: Int64) { avt_limit_memory(UInt64(max(0, bytes))) }

    /// Makes a copy of this process.
    ///
    /// - Returns: 0 in the copy, its process number in the original; below zero with `errno`.
    package static func make(_ isolation: Isolation) -> Int32 {
        let process = avt_copy_process()
        if process == 0 { refuseProcesses(isolation) }
        return process
    }

    /// Makes this process one that makes no other, as each copy is.
    package static func refuseProcesses(_ isolation: Isolation) { _ = avt_refuse_processes(isolation.rawValue) }
}

/// What the kernel keeps from a worker.
package struct Isolation: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Nothing that is executed gains rights.
    package static let noNewPrivileges = Isolation(rawValue: 1 << 0)
    /// Memory, open files and the size of files are bounded.
    package static let resourceLimits = Isolation(rawValue: 1 << 1)
    /// Files are opened by those who may, and nothing is written to.
    package static let files = Isolation(rawValue: 1 << 2)
    /// No connections.
    package static let network = Isolation(rawValue: 1 << 3)
    /// No signals to other processes, no sockets without a path.
    package static let scopes = Isolation(rawValue: 1 << 4)
    /// Calls that no reader of media makes are refused.
    package static let calls = Isolation(rawValue: 1 << 5)

    package static let all: Isolation = [.noNewPrivileges, .resourceLimits, .files, .network, .scopes, .calls]

    private static let names: [(Isolation, String)] = [
        (.noNewPrivileges, "no-new-privileges"), (.resourceLimits, "resource-limits"), (.files, "landlock-files"),
        (.network, "landlock-network"), (.scopes, "landlock-scopes"), (.calls, "seccomp"),
    ]

    /// The names of what is there, for people and programs.
    package var names: [String] { Self.names.filter { contains($0.0) }.map(\.1) }
}

/// What a worker's libraries read by themselves.
package enum ReadablePlaces {
    /// Libraries, fonts, and what tells of the machine.
    private static let usual = [
        "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/fonts",
        "/etc/localtime", "/etc/alternatives", "/var/cache/fontconfig", "/dev/null", "/dev/zero", "/dev/random",
        "/dev/urandom", "/sys/devices/system", "/nix/store", "/gnu/store",
    ]

    /// What connections take: names of machines, and certificates.
    private static let forConnections = [
        "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/host.conf", "/etc/services",
        "/etc/protocols", "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/run/systemd/resolve",
    ]

    package static func all(allowsNetwork: Bool) -> [String] {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        func ofUser(_ variable: String, _ usual: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home.map { "\($0)/\(usual)" }
        }
        let data = ofUser("XDG_DATA_HOME", ".local/share")
        let configuration = ofUser("XDG_CONFIG_HOME", ".config")
        let cache = ofUser("XDG_CACHE_HOME", ".cache")
        let own = [
            home.map { "\($0)/.fonts" }, data.map { "\($0)/fonts" }, configuration.map { "\($0)/fontconfig" },
            cache.map { "\($0)/fontconfig" }, configuration.map { "\($0)/avtool" },
        ].compactMap { $0 }
        let libraries = ["LD_LIBRARY_PATH", "LD_PRELOAD", "FONTCONFIG_FILE", "FONTCONFIG_PATH"].compactMap {
            environment[$0]
        }
        .flatMap { $0.split { ": ".contains($0) }.map(String.init) }.filter { $0.hasPrefix("/") }
        return usual + own + libraries + ownLibraries() + (allowsNetwork ? forConnections : [])
    }

    /// The folders of the libraries that this process has loaded, in which the worker finds its own.
    private static func ownLibraries() -> [String] {
        guard let maps = try? WholeFile.read("/proc/self/maps", limit: 1 << 22) else { return [] }
        let paths = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        return Set(paths.filter { $0.contains(".so") }.map(\.parentFolder)).filter { $0 != "/" }.sorted()
    }
}
