// If this module is preloaded, every import of MSW loads the oldest version that the mock supports.
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) => next(specifier.replace(/^msw(?=\/|$)/, 'msw-2'), context),
});
