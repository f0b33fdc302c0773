const { configureGlobal } = require('fast-check');

// Property tests try the same cases in every run, so that a change fails only for what it changes; at night others.
configureGlobal({ seed: Number(process.env.EMAIL_MARKETING_PROPERTY_SEED ?? 1) });
