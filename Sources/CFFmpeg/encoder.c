#include "CLibAVShims.h"

#include <libavcodec/avcodec.h>
#include <pthread.h>
#include <sched.h>

int oav_open_encoder(AVCodecContext *context, const AVCodec *codec, AVDictionary **options) {
    int policy = 0;
    struct sched_param parameter = {0};
    int is_known = pthread_getschedparam(pthread_self(), &policy, &parameter) == 0;
    int code = avcodec_open2(context, codec, options);
    if (is_known)
        pthread_setschedparam(pthread_self(), policy, &parameter);
    return code;
}
