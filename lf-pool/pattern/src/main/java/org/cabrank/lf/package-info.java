/**
 * The Leader/Followers pattern (POSA2: Schmidt, Kircher, Buschmann, Pyarali, O'Ryan) in pure Java.
 *
 * <pre>{@code
 * HandleSet set = ... // of a reactor: EpollHandleSet, RingHandleSet
 * try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("service", 3))) {
 *     pool.start(); // three threads take turns leading
 *     pool.awaitTermination(Duration.ofHours(1));
 * }
 * }</pre>
 *
 * <p>A {@link org.cabrank.lf.LeaderFollowersPool} shares one {@link org.cabrank.lf.HandleSet}, or several, among its
 * threads. A thread is a leader, processing, or a follower ({@link org.cabrank.lf.observe.ThreadState}). What holds at every moment:
 *
 * <ol>
 *   <li>At most one thread leads a set ({@code LeadershipWord}).
 *   <li>Every event detected is processed exactly once, or merged into one that is still to be processed; for one handle in
 *       order and never overlapping ({@code ClaimState}).
 *   <li>Leadership is passed on on every way out: time-out, stop, exception, error, takeover.
 *   <li>Between two events the time without a leader is bounded: by a hand-over under eager promotion, by {@code maxGap}
 *       under deferred promotion.
 * </ol>
 *
 * <h2>The paper, section by section</h2>
 *
 * <p>What implements it, and the test that fails when that is broken. Tests whose class ends in {@code Races} are those of
 * jcstress in {@code lf-pool/jcstress}; names of other modules stand here as well. A test reads this table.
 *
 * <table>
 *   <caption>POSA2, Leader/Followers, and the findings of those who have implemented it since</caption>
 *   <thead><tr><th>Section</th><th>Implemented by</th><th>Proved by</th></tr></thead>
 *   <tbody>
 *   <tr><td>Handle (participant); Handles and Handle Sets
 *     <td>{@link org.cabrank.lf.Handle}, {@link org.cabrank.lf.VirtualHandle}, {@code SlotTable}
 *     <td>{@code DispatchTest#staleEventOfAReusedSlotIsDroppedAndCounted}, {@code VirtualHandleTest},
 *         {@code PostedHandlesRaces.LateEvent}
 *   <tr><td>Handle Set (participant)
 *     <td>{@link org.cabrank.lf.HandleSet}, {@link org.cabrank.lf.Harvest}, {@code ReadyList},
 *         {@code DescriptorSet}
 *     <td>{@code DeferredPromotionTest#newLeaderGoesOnWithTheReadyListWithoutDetectingAnew},
 *         {@code HandleContract}, {@code LeadershipWordRaces.ReadyListAfterTheTakeover}
 *   <tr><td>Event Handler (participant)
 *     <td>{@link org.cabrank.lf.EventHandler}, {@code EventProcessor}
 *     <td>{@code DispatchTest#closeFromAnotherThreadComesAfterTheHandlerHasReturned},
 *         {@code PoolEndTest#handlersExceptionClosesItsHandleIsCountedAndThePoolGoesOn}
 *   <tr><td>Concrete Event Handler (participant)
 *     <td>{@code org.cabrank.stream.ConnectionHandler}, {@code org.cabrank.stream.StreamServer}
 *     <td>{@code EpollStreamTest}, {@code EchoTest}
 *   <tr><td>Thread Pool (participant); collaborations
 *     <td>{@link org.cabrank.lf.LeaderFollowersPool}, {@code Participation}, {@code Members}
 *     <td>{@code LeadershipTest#eagerLeaderPromotesBeforeItProcesses},
 *         {@code PoolStressTest#everyEventIsConsumedOnceInOrderAndByOneThreadAtATime}
 *   <tr><td>Activity 1: handle and handle set mechanisms: iterative handles
 *     <td>{@code ClaimState}, {@link org.cabrank.lf.Handle}
 *     <td>{@code DispatchTest#eventForAClaimedHandleIsProcessedByItsHolderInASecondRound},
 *         {@code ClaimStateRaces.TwoLeaders}
 *   <tr><td>Activity 1: concurrent handles
 *     <td>{@code ConcurrentProcessor}, {@code Handle#isConcurrent}, {@code UdpSocket}
 *     <td>{@code ConcurrentHandleTest#twoThreadsAreInsideOneHandlerAtOnce},
 *         {@code DatagramContract#twoThreadsOfThePoolAreInsideTheHandlerAtTheSameMoment},
 *         {@code SharedClaimRaces.EnterAndClose}
 *   <tr><td>Activity 1: iterative handle sets
 *     <td>{@code LeadershipWord}, {@code Followers}
 *     <td>{@code LeadershipTest#eventsAreProcessedInParallelUnderEagerPromotion},
 *         {@code LeadershipWordRaces.TakeTheVacantWord}
 *   <tr><td>Activity 1: demultiplexing in the handle set
 *     <td>{@code EpollHandleSet}
 *     <td>{@code HandleContract}, {@code EpollHandleSetTest}, {@code FaultyKernelTest}
 *   <tr><td>Activity 2: (de)activating handles, by a claim
 *     <td>{@link org.cabrank.lf.Deactivation}, {@code ClaimState}
 *     <td>{@code DispatchTest#eventForAClaimedHandleIsProcessedByItsHolderInASecondRound},
 *         {@code ClaimStateRaces.EventWhileTheHolderYields}
 *   <tr><td>Activity 2: by one-shot interest
 *     <td>{@link org.cabrank.lf.Deactivation}, {@code EventProcessor}
 *     <td>{@code DispatchTest#oneShotHandleIsArmedAgainAfterItsHandlerAndBeforeItsClaimIsLetGo}
 *   <tr><td>Activity 2: at the user's request
 *     <td>{@code LeaderFollowersPool#deactivateHandle}, {@code LeaderFollowersPool#reactivateHandle}
 *     <td>{@code DispatchTest#deactivatedHandleIsNotDispatchedAndGetsWhatItMissedAfterwards},
 *         {@code BadUseTest#activeHandleCannotBeReactivated}, {@code ClaimStateRaces.EventWhileDeactivated}
 *   <tr><td>Activity 3: the thread pool, its synchronizer
 *     <td>{@code LeadershipWord}, {@code Followers}
 *     <td>{@code LeadershipWordTest}, {@code LeadershipWordRaces.EndOrDepose},
 *         {@code FollowersRaces.HandOverOrArrive}
 *   <tr><td>Activity 3: starting and ending its threads
 *     <td>{@code PoolThreads}, {@code LeaderFollowersPool#stop}
 *     <td>{@code PoolStartTest#startStartsAllThreadsAndOnlyOnce},
 *         {@code PoolStartTest#firstOfSeveralFailuresIsTheCause},
 *         {@code PoolThreadsTest#errorThatCannotBeLoggedCostsNoThread},
 *         {@code GracefulStopTest#everySetIsFinishedThoughOthersWereVacatedBefore}
 *   <tr><td>Activity 4: threads join and rejoin
 *     <td>{@code LeaderFollowersPool#join}, {@code LeadershipWait}
 *     <td>{@code JoinTest#leaderLeavesWhenItsTimeIsUpAndPassesLeadershipOn},
 *         {@code JoinTest#followerPromotedAtTheMomentItsTimeIsUpPassesLeadershipOn},
 *         {@code FollowersRaces.HandOverOrLeave}
 *   <tr><td>Activity 4: promotion by the leader, before it processes
 *     <td>{@code Promotion#eager}, {@code EagerTurn}
 *     <td>{@code LeadershipTest#eagerLeaderPromotesBeforeItProcesses},
 *         {@code ConvoyTest#eagerHandOverWakesTheSuccessorAndNobodyElse}
 *   <tr><td>Activity 4: promoteNewLeader, by a handler
 *     <td>{@code LeaderFollowersPool#promoteNewLeader}
 *     <td>{@code LeadershipTest#handlerPromotesUnderDeferredPromotionOnce},
 *         {@code BadUseTest#threadOutsideThePoolCannotPromote}, {@code LeadershipWordRaces.PromoteOrDepose}
 *   <tr><td>Activity 4: promotion only when a handler turns out to be slow (ours)
 *     <td>{@code Promotion#deferred}, {@code DeferredTurn}, {@code LeaderWatch}, {@code Watcher}
 *     <td>{@code DeferredPromotionTest#leaderThatWaitsIsReplacedAtTheNextLook},
 *         {@code DeferredPromotionTest#leaderThatComputesIsReplacedAfterHalfAGapAndNotBefore},
 *         {@code DeferredPromotionTest#differentShortEventsAreNotMistakenForOneLongOne},
 *         {@code DeferredPromotionTest#eventAtTheMomentOfTheRestStillWakesTheWatcher},
 *         {@code WatcherRaces.EventAndRest}, {@code WatcherRaces.FollowerAndRest}
 *   <tr><td>Activity 5: promotion order LIFO
 *     <td>{@code PromotionOrder#lifo}, {@code LinkedFollowerQueue}
 *     <td>{@code PromotionOrderTest#lifoPromotesTheLastToCome},
 *         {@code FairnessTest#lifoGivesEveryEventToTheTwoThreadsThatCameLast}
 *   <tr><td>Activity 5: FIFO
 *     <td>{@code PromotionOrder#fifo}, {@code PoolConfig#fair}
 *     <td>{@code PromotionOrderTest#fifoPromotesTheOneThatHasWaitedLongest},
 *         {@code FairnessTest#fairPoolGivesEachThreadTheSameShare},
 *         {@code FairnessTest#nobodyStarvesInAFairPoolUnderFire}
 *   <tr><td>Activity 5: priority
 *     <td>{@code PromotionOrder#priority}, {@code PriorityFollowerQueue}
 *     <td>{@code PromotionOrderTest#priorityPromotesTheFirstByComparator},
 *         {@code PromotionOrderTest#comparatorThatThrowsIsCountedAndArrivalDecides},
 *         {@code PromotionOrderTest#moreUrgentFollowerThatComesLateTakesOverWithoutAnotherGap}
 *   <tr><td>Activity 5: implementation-defined order
 *     <td>{@code PromotionOrder#any}, {@code LinkedFollowerQueue}
 *     <td>{@code PromotionOrderTest#anyPromotesOneThatIsAwake}
 *   <tr><td>Activity 6: event handlers
 *     <td>{@code org.cabrank.stream.Connection}, {@code org.cabrank.stream.transport.StreamConnection}
 *     <td>{@code EpollStreamTest}, {@code EchoTest}
 *   <tr><td>Variant: bound handle/thread associations
 *     <td>{@link org.cabrank.lf.bound.BoundThreadPool}, {@link org.cabrank.lf.Reply}
 *     <td>{@code BoundThreadPoolTest#replyReachesTheFollowerThatWaitsForItAndWakesNobodyElse},
 *         {@code BoundThreadPoolTest#timedOutWaiterLeavesNothingBehindAndItsReplyIsLate},
 *         {@code BoundFailureTest#parserThatThrowsFailsEveryWaiter},
 *         {@code ReplyTest#waiterThatIsPromotedWhileItLeavesPassesLeadershipOn},
 *         {@code ReplyTest#replyOfAFollowerWakesThatOneAlone}
 *   <tr><td>Variant: hybrid thread associations
 *     <td>{@code Reply#await}, {@code ReplyWait}
 *     <td>{@code NestedWaitTest#handlerThatWaitsServesOtherEventsAndThenItsReply},
 *         {@code NestedLeadershipTest#poolWhoseThreadsAllWaitStillServes}
 *   <tr><td>Variant: hybrid client/servers (nested upcalls)
 *     <td>{@code Reply#await}, {@code PoolConfig#withNestingMax}
 *     <td>{@code NestedWaitTest#depthIsBoundedAndTheRefusalCounted},
 *         {@code NestedHandleTest#claimIsFreedExactlyOnce}, {@code CallingBackTest}
 *   <tr><td>Variant: multiple handle sets, a pool for each
 *     <td>{@code EpollShard}
 *     <td>{@code EpollStreamTest}
 *   <tr><td>Variant: multiple leaders, multiple followers
 *     <td>{@link org.cabrank.lf.LeaderFollowersPool}, {@code Vacancies}
 *     <td>{@code SeveralSetsTest#eachSetHasALeaderOfItsOwn},
 *         {@code SeveralSetsTest#threadThatComesBackTakesTheSetThatWasVacantLongest},
 *         {@code SeveralSetsTest#watcherLooksAtEveryLeader},
 *         {@code SharedThreadsTest#slowHandlersLeaveEveryShardALeader}
 *   <tr><td>Variant: alternative event sources and sinks: timers
 *     <td>{@code TimerHeap}, {@link org.cabrank.lf.Timers}
 *     <td>{@code PostsAndTimersTest#timerFiresAtItsTimeAndShortensTheLeadersWait},
 *         {@code TimersTest#periodicTimerKeepsItsRate}, {@code TimersTest#cancelledTimerDoesNotRunAndLeavesTheSet}
 *   <tr><td>Variant: alternative event sources and sinks: tasks of other threads
 *     <td>{@link org.cabrank.lf.TaskQueue}, {@code PostedHandles}
 *     <td>{@code TaskQueueTest#tasksThatComeTogetherCostOneWakeup},
 *         {@code PostsAndTimersTest#postsThatComeTogetherAreOneCallAndOneWakeup}, {@code WakeUpRaces.PostAndSleep}
 *   <tr><td>Variant: alternative event sources and sinks: signals, files, message queues, pipes
 *     <td>{@code SignalSource}, {@code InotifySource}, {@code MessageQueueSource}, {@code PipeSource}
 *     <td>{@code SignalContract}, {@code InotifyContract}, {@code MessageQueueContract}, {@code PipeContract}
 *   <tr><td>Consequence: no queue and no hand-over of events between threads
 *     <td>{@code DeferredTurn}
 *     <td>{@code DeferredPromotionTest#shortHandlerCostsNoPromotion},
 *         {@code ConvoyTest#deferredPromotionWakesNobodyUnlessItMust}
 *   <tr><td>Consequence: inflexible for slow work, so it may be handed away (Half-Sync/Half-Async)
 *     <td>{@code Handle#offload}, {@link org.cabrank.lf.Continuation}
 *     <td>{@code OffloadTest#continuationComesBeforeAllThatWasNotedMeanwhileAndThatFollowsInOrder},
 *         {@code ClaimStateRaces.WorkEndsAsTheHandlerReturns}
 *   <tr><td>Consequence: scheduling is left to the pool, so it can be watched
 *     <td>{@link org.cabrank.lf.observe.Watchdog}, {@link org.cabrank.lf.observe.PoolCounters}, {@link org.cabrank.lf.observe.Liveness}
 *     <td>{@code LivenessTest#poolWhoseThreadsAllRunSlowHandlersIsFound},
 *         {@code WatchdogTest#blockedHandlerIsReportedWithItsPoolThreadHandleAndStack}
 *   <tr><td>Known mistake: promote after processing, so that one slow handler blinds the pool
 *     <td>{@code EagerTurn}, {@code DeferredTurn}
 *     <td>{@code LeadershipTest#eagerLeaderPromotesBeforeItProcesses},
 *         {@code DeferredPromotionTest#leaderThatWaitsIsReplacedAtTheNextLook}
 *   <tr><td>Known mistake: an error path that leaves without a successor
 *     <td>{@code Participation}
 *     <td>{@code PoolEndTest#virtualMachineErrorOfAHandlerCostsItsHandleAndNotTheThread},
 *         {@code InjectedErrorsTest#eagerPoolLosesNoLeadership},
 *         {@code DeepStackTest#promotionWithoutStackLosesNoLeadership},
 *         {@code JoinTest#leaderLeavesWhenItsTimeIsUpAndPassesLeadershipOn}
 *   <tr><td>Known mistake: one condition variable for all followers (herd, convoy)
 *     <td>{@code Followers}, {@code Parking}
 *     <td>{@code ConvoyTest#eagerHandOverWakesTheSuccessorAndNobodyElse},
 *         {@code ConvoyTest#slowHandlersDoNotQueueUpBehindEachOther}
 *   <tr><td>Known mistake: one event dispatched to two threads
 *     <td>{@code ClaimState}
 *     <td>{@code DispatchTest#eventForAClaimedHandleIsProcessedByItsHolderInASecondRound},
 *         {@code ClaimStateRaces.EventAndPost}
 *   <tr><td>Known mistake: a wake-up lost between looking and sleeping
 *     <td>{@code HandleSet#wakeup}, {@code Followers}
 *     <td>{@code WakeUpRaceTest#postAtTheMomentTheLeaderGoesToSleepWakesIt}, {@code WakeUpRaces.SecondPostAndSleep},
 *         {@code WakeUpRaces.StopAndSleep}
 *   </tbody>
 * </table>
 *
 * <p>Stability: stable, but for the canonical constructors of records, which get components.
 */
package org.cabrank.lf;
