// SPDX-License-Identifier: Apache-2.0
import NavPosix
import NavStore
import NavSync

/// What the store's thread tells the loop.
enum StoreAnswer: Sendable {
    case opened(RecoveredState, RecoveryReport)
    case openFailed(StoreError)
    /// The outstanding batch is on disk.
    case committed
    case commitFailed(CommitFailure)
    case envelopeRead(ReadToken, EnvelopeRead)
    case historyRead(ReadToken, HistoryAnswer)
    /// Between two batches, or by a read, the store found that it can promise nothing any more.
    case broke(CommitFailure)
    /// The store is closed and the thread at its end.
    case ended
}

/// The thread that owns the store: it opens it, commits one batch at a time, reads, and closes it.
///
/// The loop hands batches over and goes on; the answers come back through its mailbox.
final class StoreThread {
    private enum Job: Sendable {
        case commit(CommitBatch)
        case read(ReadToken, Sequence)
        case ask(ReadToken, HistoryQuestion)
        case missing(Sequence)
    }

    private let jobs = JobQueue<Job>()
    private let thread: WorkerThread

    /// Starts the thread, which opens the store of `directory`, where `node` writes, and says so. The caller holds the
    /// directory's lock.
    init(directory: String, node: NodeID, answers: Mailbox<StoreAnswer>) throws(PosixError) {
        thread = try WorkerThread(name: "navsync-store") { [jobs] in
            Self.run(directory, node, jobs, answers)
            answers.send(.ended)
        }
    }

    func commit(_ batch: CommitBatch) { jobs.append(.commit(batch)) }

    func read(_ token: ReadToken, at sequence: Sequence) { jobs.append(.read(token, sequence)) }

    func ask(_ token: ReadToken, _ question: HistoryQuestion) { jobs.append(.ask(token, question)) }

    /// The live version of a stack should be at `sequence`, and a read found nothing there.
    func missing(_ sequence: Sequence) { jobs.append(.missing(sequence)) }

    /// Lets the thread do what is queued and close the store; `.ended` follows.
    func close() { jobs.close() }

    /// Waits for the thread. Only after `.ended`, or it may take as long as a disk takes.
    func join() { thread.join() }

    /// Nobody will wait for the thread: it ends by itself, or with the process.
    func detach() { thread.detach() }

    private static func run(
        _ directory: String, _ node: NodeID, _ jobs: JobQueue<Job>, _ answers: Mailbox<StoreAnswer>
    ) {
        let store: SQLiteStore
        do throws(StoreError) {
            let (opened, recovered) = try SQLiteStore.open(
                directory: directory, node: node, limits: .default,
                wallMilliseconds: SystemClock.wallMilliseconds(), random: SecureRandom.uint64)
            store = opened
            answers.send(.opened(recovered, opened.recovery))
        } catch {
            return answers.send(.openFailed(error))
        }
        var compactor = LogCompactor(logRowCount: store.recovery.rowCount)
        var isBroken = false
        while let batch = jobs.takeAll(within: compactor.wait(at: SystemClock.monotonicNanoseconds())) {
            for job in batch {
                perform(job, store, answers)
                if case .commit(let batch) = job { compactor.appended(batch.rows.count) }
            }
            // Between two batches, when whoever waited has been answered.
            do throws(CommitFailure) {
                try store.checkpointIfDue()
                try compactor.step(store, wallMilliseconds: SystemClock.wallMilliseconds())
            } catch {
                compactor.giveUp()
            }
            if !isBroken, let failure = store.failure {
                isBroken = true
                answers.send(.broke(failure))
            }
        }
        // Nothing is lost without it: the next start reads the log.
        do throws(CommitFailure) { try store.close() } catch {}
    }

    private static func perform(_ job: Job, _ store: SQLiteStore, _ answers: Mailbox<StoreAnswer>) {
        switch job {
        case .commit(let batch):
            do throws(CommitFailure) {
                try store.apply(batch)
                answers.send(.committed)
            } catch {
                answers.send(.commitFailed(error))
            }
        case .read(let token, let sequence):
            do throws(CommitFailure) {
                let envelope = try store.readEnvelope(at: sequence)
                answers.send(.envelopeRead(token, envelope.map { .envelope($0) } ?? .absent))
            } catch {
                answers.send(.envelopeRead(token, .failed(error.reason)))
            }
        case .ask(let token, let question):
            var store = store
            answers.send(.historyRead(token, store.answer(question)))
        case .missing(let sequence): store.missesRow(at: sequence)
        }
    }
}
