/** The connector for Tryton, at a real one. */
import { connectorContract } from '../../../testing/crm/connector-contract.ts';
import { startTryton } from '../../../testing/crm/real-tryton.ts';

connectorContract(startTryton);
