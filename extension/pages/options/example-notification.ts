/** A notification as the service sends it (interface 2.3), for the preview of a field map. */
import type { ApiVersion } from '../../../shared/service/request.ts';

export function exampleNotification(version: ApiVersion): Record<string, unknown> {
  const v2 = version === 'v2';
  return {
    event: 'hangup',
    action: 'click-to-call',
    calldate: '2026-05-04T13:05:10.000Z',
    hangupdate: '2026-05-04T13:06:41.000Z',
    uniqueid: '1777899910.41',
    linkedid: '1777899910.41',
    callid: '7f2b6c1e',
    from: '1105',
    to: '4832221000',
    mainchannel: 'PJSIP/1105-0000002a',
    route: 'local',
    audio_file: '20260504-7f2b6c1e.mp3',
    audio_url: v2 ? 'https://api.example.com/audio/20260504-7f2b6c1e.mp3' : 'https://api.example.com/audio',
    billsec: v2 ? '00:01:24' : '84',
    duration: v2 ? '00:01:31' : '91',
    callflow: {},
    customer: [{ phone: '4832221000' }],
    owner: [{ endpoint: '1105' }],
    request: { returnurl: 'https://relay.example.com/h/v1/…' },
  };
}
