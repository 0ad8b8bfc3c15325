package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ClaimStateTest {
    private static final class State extends ClaimState {
        State() {
            super(false);
        }
    }

    private final State state = new State();

    @Test
    void firstClaimSucceedsAndFurtherEventsAreNotedForItsHolder() {
        assertEquals(Ready.READ, state.claim(Ready.READ));
        assertTrue(state.isClaimed());
        assertEquals(0, state.claim(Ready.READ));
        assertEquals(0, state.claim(Ready.WRITE));
        assertEquals(Ready.READ | Ready.WRITE, state.release());
        assertTrue(state.isClaimed(), "it goes round again with them");
        assertFalse(state.isConcurrentState());
        assertEquals(0, state.release());
        assertFalse(state.isClaimed());
    }

    @Test
    void everyReadyBitGoesToExactlyOneRound() {
        state.claim(Ready.READ);
        state.claim(Ready.HANGUP);
        assertEquals(Ready.HANGUP, state.release());
        state.claim(Ready.ERROR);
        assertEquals(Ready.ERROR, state.release());
        assertEquals(0, state.release());
        assertEquals(Ready.READ, state.claim(Ready.READ), "nothing of the earlier rounds is left");
    }

    @Test
    void nothingReadyClaimsNothing() {
        assertEquals(0, state.claim(0));
        assertFalse(state.isClaimed());
    }

    @Test
    void postOfAFreeHandleIsListedOnce() {
        assertTrue(state.notePosted(Ready.POSTED));
        assertFalse(state.notePosted(Ready.POSTED));
        assertFalse(state.notePosted(Ready.POSTED_2));
        assertEquals(Ready.POSTED | Ready.POSTED_2, state.claimPosted());
        assertEquals(0, state.release());
        assertTrue(state.notePosted(Ready.POSTED), "it has left the list");
    }

    @Test
    void postOfAClaimedHandleIsTheHoldersAndNotListed() {
        state.claim(Ready.READ);
        assertFalse(state.notePosted(Ready.POSTED));
        assertEquals(Ready.POSTED, state.release());
    }

    @Test
    void eventTakesWhatWasPostedAlong() {
        assertTrue(state.notePosted(Ready.POSTED));
        assertEquals(Ready.READ | Ready.POSTED, state.claim(Ready.READ));
        assertFalse(state.notePosted(Ready.POSTED), "it is still on the list");
        assertEquals(0, state.claimPosted(), "the list finds it claimed");
        assertEquals(Ready.POSTED, state.release());
        assertEquals(0, state.release());
    }

    @Test
    void listedHandleWithNothingLeftIsNotClaimed() {
        state.notePosted(Ready.POSTED);
        state.claim(Ready.READ);
        state.release();
        assertEquals(0, state.claimPosted());
        assertFalse(state.isClaimed());
        assertTrue(state.notePosted(Ready.POSTED));
    }

    @Test
    void yieldListsWhatIsPendingAndLetsGo() {
        state.claim(Ready.READ);
        assertFalse(state.yield(), "nothing is pending");
        state.claim(Ready.READ);
        state.claim(Ready.WRITE);
        assertTrue(state.yield());
        assertFalse(state.isClaimed());
        assertEquals(Ready.WRITE, state.claimPosted());
    }

    @Test
    void yieldDoesNotListTwice() {
        state.notePosted(Ready.POSTED);
        state.claim(Ready.READ);
        state.notePosted(Ready.POSTED);
        assertFalse(state.yield(), "it is on the list still");
        assertEquals(Ready.POSTED, state.claimPosted());
    }

    @Test
    void suspendedHandleNotesAndIsDueWhenResumed() {
        assertTrue(state.suspend());
        assertTrue(state.isSuspended());
        assertFalse(state.suspend());
        assertEquals(0, state.claim(Ready.READ));
        assertFalse(state.notePosted(Ready.POSTED));
        assertEquals(0, state.claimPosted());
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(Ready.READ | Ready.POSTED, state.claimPosted());
    }

    @Test
    void resumingWithNothingPendingIsNotDue() {
        state.suspend();
        assertEquals(ClaimState.Resumption.NOTHING_DUE, state.resume(0));
        assertEquals(ClaimState.Resumption.WAS_NOT_SUSPENDED, state.resume(0));
        assertEquals(Ready.READ, state.claim(Ready.READ));
    }

    @Test
    void resumingNotesInTheSameStep() {
        state.suspend();
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(Ready.REARM));
        assertFalse(state.notePosted(Ready.REARM), "it is on the list already");
        assertEquals(Ready.REARM, state.claimPosted());
        state.release();
        assertEquals(ClaimState.Resumption.WAS_NOT_SUSPENDED, state.resume(Ready.REARM));
        assertTrue(state.notePosted(Ready.POSTED), "the refused one has left nothing behind");
        assertEquals(Ready.POSTED, state.claimPosted());
    }

    @Test
    void holderOfASuspendedHandleLetsGoWithEventsPending() {
        state.claim(Ready.READ);
        state.suspend();
        state.claim(Ready.WRITE);
        assertEquals(0, state.release());
        assertFalse(state.isClaimed());
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(Ready.WRITE, state.claimPosted());
    }

    @Test
    void resumingAClaimedHandleLeavesItToTheHolder() {
        state.claim(Ready.READ);
        state.suspend();
        state.claim(Ready.WRITE);
        assertEquals(ClaimState.Resumption.NOTHING_DUE, state.resume(0));
        assertEquals(Ready.WRITE, state.release());
    }

    @Test
    void resumingAListedHandleDoesNotListItTwice() {
        state.notePosted(Ready.POSTED);
        state.suspend();
        assertEquals(ClaimState.Resumption.NOTHING_DUE, state.resume(0));
        assertEquals(Ready.POSTED, state.claimPosted());
    }

    @Test
    void requestToCloseIsDeliveredWhileSuspended() {
        state.suspend();
        state.claim(Ready.READ);
        assertTrue(state.notePosted(Ready.CLOSE));
        assertEquals(Ready.CLOSE, state.claimPosted());
        assertTrue(state.markClosed());
        assertEquals(0, state.release());
        assertEquals(ClaimState.Resumption.NOTHING_DUE, state.resume(Ready.REARM));
    }

    @Test
    void requestToCloseReachesTheHolderOfASuspendedHandle() {
        state.claim(Ready.READ);
        state.suspend();
        assertFalse(state.notePosted(Ready.CLOSE));
        assertEquals(Ready.CLOSE, state.release());
    }

    @Test
    void nothingIsNotedOrDispatchedAfterTheClose() {
        state.claim(Ready.READ);
        state.claim(Ready.WRITE);
        assertTrue(state.markClosed());
        assertFalse(state.markClosed());
        assertTrue(state.isClosedState());
        assertEquals(0, state.release());
        assertEquals(0, state.claim(Ready.READ));
        assertFalse(state.notePosted(Ready.POSTED));
        assertFalse(state.suspend());
        assertFalse(state.isClaimed());
    }

    @Test
    void closedHandleLeavesTheListWithoutAClaim() {
        state.notePosted(Ready.POSTED);
        state.markClosed();
        assertEquals(0, state.claimPosted());
        assertFalse(state.isClaimed());
    }

    // ---- detained handles ----

    @Test
    void detainedHandleIsGivenTheEndOfTheWorkBeforeAllElse() {
        state.claim(Ready.READ);
        assertTrue(state.detain());
        assertFalse(state.detain(), "it is already");
        assertEquals(0, state.claim(Ready.WRITE));
        assertEquals(0, state.release(), "the handler returns");
        assertFalse(state.isClaimed());
        assertTrue(state.isDetained());
        assertEquals(0, state.claim(Ready.READ));
        assertFalse(state.notePosted(Ready.POSTED));
        assertTrue(state.notePosted(Ready.RESUMED));
        assertEquals(Ready.RESUMED, state.claimPosted());
        state.endDetention();
        assertEquals(Ready.READ | Ready.WRITE | Ready.POSTED, state.release());
        assertEquals(0, state.release());
    }

    @Test
    void detainedHandleIsGivenTheRequestToClose() {
        state.claim(Ready.READ);
        state.detain();
        state.release();
        assertTrue(state.notePosted(Ready.CLOSE));
        assertFalse(state.notePosted(Ready.RESUMED));
        assertEquals(Ready.CLOSE | Ready.RESUMED, state.claimPosted());
        assertTrue(state.markClosed());
        assertFalse(state.isDetained());
        assertEquals(0, state.release());
    }

    @Test
    void suspendedAndDetainedHandleWaitsForBoth() {
        state.claim(Ready.READ);
        state.detain();
        state.release();
        state.suspend();
        state.claim(Ready.WRITE);
        assertFalse(state.notePosted(Ready.RESUMED));
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(Ready.RESUMED, state.claimPosted());
        state.endDetention();
        assertEquals(Ready.WRITE, state.release());
    }

    @Test
    void unwantedHandleIsKeptForLater() {
        state.notePosted(Ready.POSTED);
        assertEquals(ClaimState.KEPT, state.claimPosted(Ready.WHEN_DETAINED));
        assertFalse(state.isClaimed());
        assertFalse(state.notePosted(Ready.POSTED_2), "it is listed still");
        assertEquals(Ready.POSTED | Ready.POSTED_2, state.claimPosted());
    }

    // ---- the only thread ----

    @Test
    void onlyThreadClaimsWithoutMarkingWhileNothingIsPending() {
        assertEquals(Ready.READ, state.claimAlone(Ready.READ));
        assertEquals(0, state.release());
        assertEquals(Ready.WRITE, state.claimAlone(Ready.WRITE));
    }

    @Test
    void onlyThreadIsGivenWhatIsPostedToItMeanwhile() {
        assertEquals(Ready.READ, state.claimAlone(Ready.READ));
        assertTrue(state.notePosted(Ready.POSTED));
        assertEquals(Ready.POSTED, state.release());
        assertEquals(0, state.release());
        assertEquals(0, state.claimPosted(), "it was given already");
    }

    @Test
    void onlyThreadRespectsSuspensionAndClose() {
        state.suspend();
        assertEquals(0, state.claimAlone(Ready.READ));
        assertEquals(ClaimState.Resumption.POST_DUE, state.resume(0));
        assertEquals(Ready.READ, state.claimPosted());
        state.release();
        state.markClosed();
        assertEquals(0, state.claimAlone(Ready.READ));
    }
}
