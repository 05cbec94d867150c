// The node-* packages declare `os` and `cpu` as plain strings, which pnpm drops: every platform's Node would be installed.
module.exports.hooks = {
  readPackage(manifest) {
    for (const key of ['os', 'cpu']) {
      if (typeof manifest[key] === 'string') manifest[key] = [manifest[key]];
    }
    return manifest;
  },
};
