internal import ArgumentParser

/// A command that can make do with damage.
protocol DamageTolerating {
    static var damageHelp: ArgumentHelp { get }
}

/// Whether a command makes do with damage.
struct DamageOptions<Command: DamageTolerating>: ParsableArguments {
    @Flag(help: Command.damageHelp)
    var allowDamaged = false
}
