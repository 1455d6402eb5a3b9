import SCIMCore

/// The writes that wait, of which organisations have a bounded number each. For one thread at a time.
struct WriteQueue {
  private var jobs = FairQueue<any AnyWriteJob>()
  private var weights: [OrganizationID: Int] = [:]
  private let maximumWaiting: Int
  private let maximumWeight: Int

  /// - Parameters:
  ///   - maximumWaiting: how many of one organisation may wait.
  ///   - maximumWeight: how much they may weigh together; one is taken whatever it weighs.
  init(maximumWaiting: Int, maximumWeight: Int) {
    self.maximumWaiting = max(maximumWaiting, 1)
    self.maximumWeight = maximumWeight
  }

  var isEmpty: Bool { jobs.isEmpty }

  /// False where its organisation has too many waiting. Those of the command line, which are of none, have no bound.
  ///
  /// - Parameter goesOn: takes the job however many wait.
  mutating func append(_ job: any AnyWriteJob, goesOn: Bool) -> Bool {
    if let organization = job.organization {
      let count = jobs.count(of: organization)
      let weight = weights[organization, default: 0] + job.weight
      guard goesOn || count == 0 || (count < maximumWaiting && weight <= maximumWeight) else { return false }
      weights[organization] = weight
    }
    jobs.append(job, of: job.organization)
    return true
  }

  /// Puts a job that was taken in front of the others of its organisation, whose turn is next.
  mutating func putBack(_ job: any AnyWriteJob) {
    if let organization = job.organization { weights[organization, default: 0] += job.weight }
    jobs.putBack(job, of: job.organization)
  }

  mutating func takeFirst(where isAllowed: (any AnyWriteJob) -> Bool) -> (any AnyWriteJob)? {
    guard let job = jobs.takeFirst(where: { isAllowed($1) })?.element else { return nil }
    if let organization = job.organization {
      let left = weights[organization, default: job.weight] - job.weight
      weights[organization] = left > 0 ? left : nil
    }
    return job
  }
}
