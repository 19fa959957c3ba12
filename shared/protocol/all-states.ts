/** Parameter of `Accept` by which a reader asks for every state of a Call: older ones do not know `callingCallee` and `connected`. */
export const allStates = 'states=all';
