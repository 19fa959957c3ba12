/** The connector for Redmine, at a real one. */
import { connectorContract } from '../../../testing/crm/connector-contract.ts';
import { startRedmine } from '../../../testing/crm/real-redmine.ts';

connectorContract(startRedmine);
