/** The connector for Odoo, at a real one. */
import { connectorContract } from '../../../testing/crm/connector-contract.ts';
import { startOdoo } from '../../../testing/crm/real-odoo.ts';

connectorContract(startOdoo);
