"""Runs llama.cpp's own server on loopback until it is killed: serve_model.py MODEL.gguf PORT"""

import sys
import time

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.hostnames = ["127.0.0.1"]
params.port = int(sys.argv[2])
params.n_ctx = 4096
params.n_parallel = 1
params.n_gpu_layers = 0
params.use_jinja = True
params.cpuparams.n_threads = 1
params.warmup = False
params.model_alias = {"tiny"}
params.ui = False
params.sampling.seed = 1
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
while True:
    time.sleep(3600)
