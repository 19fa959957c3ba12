/** How long after a click its call may be sent. Later the person does not expect the phone to ring. */
export const sendWithinMs = 60_000;
