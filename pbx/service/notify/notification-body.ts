/** The notifications' bodies of a call on Asterisk, as JSON text. */
import path from 'node:path';
import {
  type CallNews,
  hangUpNotification,
  progressNotification,
} from '../../../shared/service/outgoing-notification.ts';
import type { ApiVersion } from '../../../shared/service/request.ts';
import { calleeChannel } from '../calls/call-channels.ts';
import { talkSeconds } from '../calls/call-end.ts';
import type { StoredCall } from '../store/schema.ts';

/**
 * Address of a recording, in the form that its version asks for (9).
 * @param file as Asterisk named it, with its folder.
 */
export type RecordingAddress = (file: string, version: ApiVersion) => string;

/** The call must have an end. */
export function hangUpBody(
  { callid, request, progress, createdAt }: StoredCall,
  recordingAddress: RecordingAddress,
): string {
  const { channels, channelId, recordingFile, answered } = progress;
  const end = progress.end!;
  const talked = talkSeconds(progress);
  // Without an answer the recording has only a file header.
  const file = (answered.callee !== undefined && recordingFile) || '';
  return JSON.stringify(
    hangUpNotification(request, {
      callid,
      event: answered.caller === undefined && end.reason !== 'hangUp' ? 'lost-call' : 'hangup',
      startedAt: new Date(createdAt),
      endedAt: new Date(end.at),
      uniqueid: calleeChannel(progress) ?? channelId,
      linkedid: channelId,
      mainchannel: channels[channelId]?.channel ?? '',
      audioFile: path.basename(file),
      audioUrl: file === '' ? '' : recordingAddress(file, request.version ?? 'v1'),
      talkSeconds: talked,
      totalSeconds: Math.max(talked, Math.round(Math.max(0, end.at - createdAt) / 1000)),
      callflow: channels,
      reason: end.reason,
      endedBy: end.endedBy,
    }),
  );
}

/** A change before the end; only for calls that asked for `events: "all"`. */
export function progressBody(
  { callid, request }: StoredCall,
  { at, ...news }: CallNews & { at: number },
): string {
  return JSON.stringify(progressNotification(request, callid, news, new Date(at)));
}
