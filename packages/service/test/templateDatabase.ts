/** Every test database is a copy of this one: copying takes a tenth of the time of migrating. */
export const TEMPLATE_DATABASE = "assay_template";
