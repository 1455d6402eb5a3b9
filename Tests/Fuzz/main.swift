import Foundation
import Glibc
import SCIMCore

// fuzz [EXECUTIONS] [--seed N] [--only EXECUTION] [--target NAME] [--corpus FOLDER]
//
// Feeds random input to the parsers of filters, paths, PATCH and POST bodies, and JSON. Each input follows from the seed
// and the number of the execution, so that `--only` repeats one. Ends with 1 on a property that does not hold and on an
// execution of more than 100 ms of processor time.

struct Arguments {
  var executions = 100_000
  var seed = UInt64.random(in: 1...999_999_999)
  var only: Int?
  var target: FuzzTarget?
  var corpus = "Tests/Fixtures/exchanges"

  init?(_ words: [String]) {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--seed": guard let value = words.popFirst().flatMap({ UInt64($0) }) else { return nil }; seed = value
      case "--only": guard let value = words.popFirst().flatMap({ Int($0) }) else { return nil }; only = value
      case "--target": guard let value = words.popFirst().flatMap(FuzzTarget.init) else { return nil }; target = value
      case "--corpus": guard let value = words.popFirst() else { return nil }; corpus = value
      default: guard let value = Int(word), value > 0 else { return nil }; executions = value
      }
    }
  }
}

func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

guard let arguments = Arguments(Array(CommandLine.arguments.dropFirst())) else {
  print("usage: fuzz [EXECUTIONS] [--seed N] [--only EXECUTION] [--target NAME] [--corpus FOLDER]")
  exit(2)
}
let corpus = try FuzzCorpus(folder: arguments.corpus)
let subjects = try FuzzSubject.all()
let targets = arguments.target.map { [$0] } ?? FuzzTarget.allCases
var accepted: [FuzzTarget: Int] = [:]
var findings = 0
var slowest = (time: 0.0, execution: 0)

print("seed \(arguments.seed), \(arguments.executions) executions")
for name in ["filter of 8 KiB", "5,000 parentheses", "200 conditions", "201 conditions", "5,000 brackets of JSON"] {
  findings += Extremes.check(name) ? 0 : 1
}

// Where a crash happened is read off the last number.
let crash: @convention(c) (Int32) -> Void = { signal in
  CrashSite.report()
  Glibc.signal(signal, SIG_DFL)
  raise(signal)
}
for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] { signal(number, crash) }

for execution in arguments.only.map({ $0..<$0 + 1 }) ?? 0..<arguments.executions {
  CrashSite.execution = execution
  let target = targets[execution % targets.count]
  var random = FuzzRandom(seed: arguments.seed, execution: execution)
  let input = target.input(corpus, &random)
  let subject = random.pick(subjects)
  let profile = random.pick(Profile.allCases)
  if arguments.only != nil { print(target, profile, subject.type.name, String(decoding: input, as: UTF8.self)) }
  var time = Double.infinity
  // Whoever else uses the processor may be counted in: what is slow is slow three times.
  for attempt in 0..<3 where attempt == 0 || time > 0.1 {
    let start = processorTime()
    do {
      if try target.run(input, subject, profile: profile), attempt == 0 { accepted[target, default: 0] += 1 }
    } catch {
      findings += 1
      print("execution \(execution): \(target) \(profile) \(subject.type.name): \(error)")
      print("  \(String(decoding: input, as: UTF8.self))")
    }
    time = min(time, processorTime() - start)
  }
  if time > slowest.time { slowest = (time, execution) }
  if time > 0.1 {
    findings += 1
    print("execution \(execution): \(target) took \(Int(time * 1000)) ms")
  }
  if findings >= 20 { break }
}
for target in targets {
  let share = accepted[target, default: 0] * 100 * targets.count / max(1, arguments.executions)
  print("\(target.rawValue): \(share) % of the inputs accepted")
}
print(
  "slowest: execution \(slowest.execution), \(Int(slowest.time * 1_000_000)) µs; "
    + (findings == 0 ? "nothing found" : "\(findings) findings"))
exit(findings == 0 ? 0 : 1)
